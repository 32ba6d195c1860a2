/** Far above any token of ours (about 700 characters). */
const MOST_CHARACTERS = 4_096;
/** Header, claims and the 64 bytes of an ES256 signature (RFC 7518, section 3.4). */
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

const HEADER_MEMBERS = 3;

export interface DecodedJws {
  /** The only thing in a header that may differ between two tokens of ours. */
  readonly kid: string;
  /** Not verified, and not to be trusted yet. */
  readonly payload: unknown;
}

/**
 * Takes a token apart without trusting it: anything but the one way in which ours are written is null.
 *
 * Readers of JSON and base64 disagree about repeated members, spare bits and odd numbers, and a header may name
 * keys, addresses and algorithms. So a part counts only if writing it anew gives the same text, and a header only
 * if it has our three members and no other.
 */
export function decodeJws(token: string): DecodedJws | null {
  if (token.length > MOST_CHARACTERS) return null;
  const [, headerPart = '', payloadPart = '', signature = ''] = SHAPE.exec(token) ?? [];
  const kid = kidOf(readPart(headerPart));
  const payload = readPart(payloadPart);
  return kid === null || payload === null || !isCanonical(signature) ? null : { kid, payload };
}

function kidOf(header: unknown): string | null {
  if (typeof header !== 'object' || header === null || Object.keys(header).length !== HEADER_MEMBERS) return null;
  const isOurs = 'alg' in header && header.alg === 'ES256' && 'typ' in header && header.typ === 'at+jwt';
  return isOurs && 'kid' in header && typeof header.kid === 'string' ? header.kid : null;
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function readPart(part: string): unknown {
  const text = Buffer.from(part, 'base64url').toString();
  return Buffer.from(text).toString('base64url') === part ? parseCanonicalJson(text) : null;
}

function parseCanonicalJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : null;
  } catch {
    return null;
  }
}
