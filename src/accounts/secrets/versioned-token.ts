import { parse, stringify } from 'uuid';
import type { ServerSecret } from './server-secret.js';

/** The row that a token belongs to, and the version of its token. */
export interface VersionedTokenClaims {
  /** A UUID; returned in lower case. */
  readonly id: string;
  /** 0 to 4,294,967,295. */
  readonly count: number;
}

const ID_BYTES = 16;
const COUNT_BYTES = 4;
const CLAIM_BYTES = ID_BYTES + COUNT_BYTES;
const MAC_BYTES = 32;
/** Base64url without padding: 70 characters. */
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil(((CLAIM_BYTES + MAC_BYTES) * 4) / 3)}}$`);

/**
 * Signs a token: row id, count and an HMAC over both.
 *
 * It can be derived again at any time and is not stored. The row determines how long and how often it is valid.
 *
 * @param label constant per kind of token, so that no token is accepted as another kind
 * @throws RangeError when the count is out of range, TypeError when the id is no UUID
 */
export function signVersionedToken(secret: ServerSecret, label: string, row: VersionedTokenClaims): string {
  const payload = Buffer.alloc(CLAIM_BYTES);
  payload.set(parse(row.id));
  payload.writeUInt32BE(row.count, ID_BYTES);
  return Buffer.concat([payload, secret.hmac(label, payload)]).toString('base64url');
}

/** @returns the claims; null when this service did not sign the token under this label */
export function verifyVersionedToken(secret: ServerSecret, label: string, text: string): VersionedTokenClaims | null {
  if (!TOKEN.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // The last character of base64url has spare bits; only the canonical encoding is accepted.
  if (bytes.toString('base64url') !== text) return null;
  const payload = bytes.subarray(0, CLAIM_BYTES);
  if (!secret.verifyHmac(label, payload, bytes.subarray(CLAIM_BYTES))) return null;
  return { id: stringify(payload.subarray(0, ID_BYTES)), count: payload.readUInt32BE(ID_BYTES) };
}
