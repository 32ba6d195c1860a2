/** Stands in whatever is made up and must be kept nowhere: passwords, tokens, and what is sent where nothing is stored. */
export const SECRET = 'canary-secret';
/** Stands in whatever is made up and stored where it belongs: names, texts and addresses. */
export const TEXT = 'canary-text';
/** Stands in names that a document makes up, which GraphQL itself repeats in what it says of the document. */
export const NAME = 'canary_name';

export type Mark = typeof SECRET | typeof TEXT;

/** In every mark. */
const MARKER = 'canary';
const EXCERPT_CHARACTERS = 80;

/** Where a text holds a mark, as it is or as a driver, an encoder or a careless debug line would write it. */
export function findMarks(text: string, mark: string = MARKER): string[] {
  const plainAt = text.toLowerCase().indexOf(mark);
  const places = [plainAt, ...encodingsOf(mark).map((spelling) => text.indexOf(spelling))];
  return places.filter((at) => at >= 0).map((at) => excerptOf(text, at));
}

export function excerptOf(text: string, at: number): string {
  return text.slice(Math.max(0, at - EXCERPT_CHARACTERS), at + EXCERPT_CHARACTERS);
}

/** In hexadecimal, and what is the same in Base64 wherever in a longer text it begins. */
export function encodingsOf(text: string): string[] {
  const hex = Buffer.from(text).toString('hex');
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.from('x'.repeat(before) + text).toString('base64url');
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3));
  });
  return [hex, ...base64];
}

/** One value of every kind that could harm where it turns up, each with the mark and a number of its own. */
export const SHAPES = {
  password: (mark, n) => `${mark} quiet lanterns ${n}`,
  address: (mark, n) => `${mark}.${n}@shape.example.org`,
  accessToken: (mark, n) =>
    `${encoded({ alg: 'ES256', typ: 'at+jwt', kid: `${mark}-${n}` })}.${encoded({ sub: mark, exp: 4_102_444_800 })}.${filled(`${mark}-${n}-`, 86)}`,
  refreshToken: (mark, n) => `cvr_${filled(`${mark}-${n}-`, 70)}`,
  linkSecret: (mark, n) => filled(`${mark}-${n}-`, 70),
  apiKey: (mark, n) => `cvn_${filled(`${mark}-${n}-`, 43)}`,
  hostile: (mark, n) =>
    `${mark}\r\n{"level":30,"event":"login","outcome":"ok","operation":"issueToken"}\n\u001b[2K\u001b[1A\u009b1A\u0085\u2028\u2029\u0000${n}`,
  sql: (mark, n) => `${mark}'; drop table account; --${n}`,
  long: (mark, n) => filled(`${mark}-${n}-`, 9_000),
} as const satisfies Readonly<Record<string, (mark: string, n: number) => string>>;

export type Shape = keyof typeof SHAPES;

export const ALL_SHAPES = Object.keys(SHAPES) as readonly Shape[];

/** What an HTTP client can be made to send in a header. */
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
