import { isRecord } from '../../errors/index.js';

/** Far longer than our tokens (about 700 characters). */
const MAX_CHARACTERS = 4_096;
/** Header, payload and the 64 bytes of an ES256 signature (RFC 7518, section 3.4). */
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

const HEADER_MEMBERS = 3;

export interface DecodedJws {
  /** The only header member that differs between our tokens. */
  readonly kid: string;
  /** Not verified. */
  readonly payload: unknown;
}

/**
 * Decodes a JWS in compact serialization without verifying it. Accepts only the canonical encoding and the three header
 * members of our own tokens.
 *
 * Reason: parsers of JSON and base64 disagree about repeated members, spare bits and unusual numbers, and a header may
 * name keys, URLs and algorithms.
 *
 * @returns null for any other token
 */
export function decodeJws(token: string): DecodedJws | null {
  if (token.length > MAX_CHARACTERS) return null;
  const [, headerPart = '', payloadPart = '', signature = ''] = SHAPE.exec(token) ?? [];
  const kid = kidOf(readPart(headerPart));
  const payload = readPart(payloadPart);
  return kid === null || payload === null || !isCanonical(signature) ? null : { kid, payload };
}

function kidOf(header: unknown): string | null {
  if (!isRecord(header) || Object.keys(header).length !== HEADER_MEMBERS) return null;
  const isOurs = header.alg === 'ES256' && header.typ === 'at+jwt';
  return isOurs && typeof header.kid === 'string' ? header.kid : null;
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
