/** Part of every test value that must be stored nowhere: passwords, tokens, and input to fields that are not stored. */
export const SECRET = 'canary-secret';
/** Part of every test value that may be stored in its column: names, texts and addresses. */
export const TEXT = 'canary-text';
/** Part of names that a document invents, which GraphQL itself repeats in its errors about the document. */
export const NAME = 'canary_name';

export type Mark = typeof SECRET | typeof TEXT;

/** Part of every mark. */
const MARKER = 'canary';
const EXCERPT_CHARACTERS = 80;

/**
 * The places where a text contains a mark, plain or as a driver, an encoder or a careless debug line would write it.
 */
export function findMarks(text: string, mark: string = MARKER): string[] {
  const plainAt = text.toLowerCase().indexOf(mark);
  const places = [plainAt, ...encodingsOf(mark).map((spelling) => text.indexOf(spelling))];
  return places.filter((at) => at >= 0).map((at) => excerptOf(text, at));
}

export function excerptOf(text: string, at: number): string {
  return text.slice(Math.max(0, at - EXCERPT_CHARACTERS), at + EXCERPT_CHARACTERS);
}

/** The mark in hexadecimal, and the part of its Base64 form that is the same at any offset in a longer text. */
export function encodingsOf(text: string): string[] {
  const hex = Buffer.from(text).toString('hex');
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + text).toString('base64url');
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3));
  });
  return [hex, ...base64];
}

/** One value of every kind that could do harm where it occurs, each with the mark and a unique number. */
export const SHAPES = {
  password: (mark, n) => `${mark} quiet lanterns ${n}`,
  address: (mark, n) => `${mark}.${n}@shape.example.org`,
  accessToken: (mark, n) =>
    [
      encoded({ alg: 'ES256', typ: 'at+jwt', kid: `${mark}-${n}` }),
      encoded({ sub: mark, exp: 4_102_444_800 }),
      filled(`${mark}-${n}-`, 86),
    ].join('.'),
  refreshToken: (mark, n) => `cvr_${filled(`${mark}-${n}-`, 70)}`,
  linkSecret: (mark, n) => filled(`${mark}-${n}-`, 70),
  apiKey: (mark, n) => `cvn_${filled(`${mark}-${n}-`, 43)}`,
  hostile: (mark, n) =>
    `${mark}\r\n{"level":30,"event":"login","outcome":"ok","operation":"issueToken"}\n` +
    `\u001b[2K\u001b[1A\u009b1A\u0085\u2028\u2029\u0000${n}`,
  sql: (mark, n) => `${mark}'; drop table account; --${n}`,
  long: (mark, n) => filled(`${mark}-${n}-`, 9_000),
} as const satisfies Readonly<Record<string, (mark: string, n: number) => string>>;

export type Shape = keyof typeof SHAPES;

export const ALL_SHAPES = Object.keys(SHAPES) as readonly Shape[];

/** Text that an HTTP client can send in a header. */
export function inHeader(value: string): string {
  return value
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ' ')
    .slice(0, 2_000)
    .trim();
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function filled(beginning: string, length: number): string {
  return beginning.padEnd(length, 'x');
}
