import { forEachInSlices, MAX_SLICE_MS, yieldToForeground } from '../../async/pacing.js';

/** Objects and lists with at most this many values are serialized in one step. */
const MAX_VALUES_PER_STEP = 100;
/** Characters of a body that the connection encodes itself, in a fraction of a slice. */
const MAX_UNSLICED_LENGTH = 65_536;
const PIECE_LENGTH = 16_384;
const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

interface Result {
  readonly data?: object | null | undefined;
}

/** JSON of the data of large results. */
const serializedData = new WeakMap<object, string>();

/**
 * Serializes the data of a large result in slices, for a later `resultToJson`. The data must not change afterwards.
 *
 * @returns the result itself
 */
export async function serializeInSlices<Large extends Result>(result: Large): Promise<Large> {
  const { data } = result;
  if (data === null || data === undefined) return result;
  const pieces: string[] = [];
  await forEachInSlices(jsonPieces(data), (piece) => pieces.push(piece));
  serializedData.set(data, pieces.join(''));
  // The engine builds the response in a slice of its own.
  await yieldToForeground(MAX_SLICE_MS);
  return result;
}

/** Returns the JSON of a result, as `JSON.stringify` does. */
export function resultToJson(result: Result): string {
  const json = result.data ? serializedData.get(result.data) : undefined;
  if (json === undefined) return JSON.stringify(result);
  const present = Object.entries<unknown>({ ...result }).filter(([, value]) => hasJson(value));
  const members = present.map(([name, value]) => {
    return `${JSON.stringify(name)}:${name === 'data' ? json : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

/** Whether a body is encoded in one step. */
export function isShort(text: string): boolean {
  return text.length <= MAX_UNSLICED_LENGTH;
}

/** Encodes a long body as UTF-8 in slices. Returns a short one unchanged. */
export async function encodeInSlices(text: string): Promise<string | Buffer> {
  if (isShort(text)) return text;
  const pieces: Buffer[] = [];
  const encode = (piece: string): void => {
    pieces.push(Buffer.from(piece));
  };
  await forEachInSlices(piecesOf(text), encode, { pause: yieldToForeground, itemsPerClockReading: 1 });
  await yieldToForeground(MAX_SLICE_MS);
  return Buffer.concat(pieces);
}

/** Generates pieces that `JSON.stringify` would write as one text. */
function* jsonPieces(value: object): Generator<string> {
  if (isSmall(value)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? '[' : '{';
  const entries: Iterable<[string, unknown]> = Object.entries(value);
  for (const [name, member] of entries) {
    if (!isList && !hasJson(member)) continue;
    yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (typeof member === 'object' && member !== null) yield* jsonPieces(member);
    else yield hasJson(member) ? JSON.stringify(member) : 'null';
  }
  if (separator !== ',') yield separator;
  yield isList ? ']' : '}';
}

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** Whether a value is serialized in one step, because it has few values or its own `toJSON`, as dates have. */
function isSmall(value: object): boolean {
  return 'toJSON' in value || countValues(value, MAX_VALUES_PER_STEP) <= MAX_VALUES_PER_STEP;
}

/** Counts the values at any depth. Stops above `limit`. */
function countValues(value: object, limit: number): number {
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = members.length;
  if (count > limit) return count;
  for (const member of members) {
    if (typeof member === 'object' && member !== null) count += countValues(member, limit - count);
    if (count > limit) return count;
  }
  return count;
}

/** Generates pieces of a text. None ends within a surrogate pair. */
function* piecesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + PIECE_LENGTH;
    const cut = LOW_SURROGATE.test(text.charAt(end)) ? end + 1 : end;
    yield text.slice(start, cut);
    start = cut;
  }
}
