import { forEachInSlices, letOthersGoFirst, MAX_SLICE_MS } from '../../pacing/index.js';

/** Values with at most so many values in them are written in one go. */
const MAX_VALUES_AT_ONCE = 100;

interface Result {
  readonly data?: object | null | undefined;
}

/** What was written ahead, of each result that is large. */
const written = new WeakMap<object, string>();

/** Writes the data of a large result as JSON in slices, for `resultToJson`. Nothing may change the data afterwards. */
export async function writeDataInSlices<Large extends Result>(result: Large): Promise<Large> {
  const { data } = result;
  if (data === null || data === undefined) return result;
  const pieces: string[] = [];
  await forEachInSlices(jsonPieces(data), (piece) => pieces.push(piece));
  written.set(data, pieces.join(''));
  // What builds the response begins a turn of its own.
  await letOthersGoFirst(MAX_SLICE_MS);
  return result;
}

/** The result as `JSON.stringify` writes it. */
export function resultToJson(result: Result): string {
  const json = result.data ? written.get(result.data) : undefined;
  if (json === undefined) return JSON.stringify(result);
  const present = Object.entries<unknown>({ ...result }).filter(([, value]) => hasJson(value));
  const members = present.map(([name, value]) => {
    return `${JSON.stringify(name)}:${name === 'data' ? json : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

/** Pieces that `JSON.stringify` would write as one text. */
function* jsonPieces(value: object): Generator<string> {
  if (isWrittenAtOnce(value)) {
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

/** What has a form of its own, such as a time, and what is small. */
function isWrittenAtOnce(value: object): boolean {
  return 'toJSON' in value || countValues(value, MAX_VALUES_AT_ONCE) <= MAX_VALUES_AT_ONCE;
}

/** How many values are in it, at any depth; it stops counting beyond `most`. */
function countValues(value: object, most: number): number {
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = members.length;
  if (count > most) return count;
  for (const member of members) {
    if (typeof member === 'object' && member !== null) count += countValues(member, most - count);
    if (count > most) return count;
  }
  return count;
}
