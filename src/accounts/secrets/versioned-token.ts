import { parse, stringify } from 'uuid';
import type { ServerSecret } from './server-secret.js';

/** What a token stands for: a row, and how often it has been given a new one. */
export interface VersionedTokenClaims {
  /** A UUID; comes back in lower case. */
  readonly id: string;
  /** 0 to 4,294,967,295. */
  readonly count: number;
}

const ID_BYTES = 16;
const COUNT_BYTES = 4;
const CLAIM_BYTES = ID_BYTES + COUNT_BYTES;
const MAC_BYTES = 32;
/** Base64url of all of it, without padding: 70 characters. */
const TOKEN = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil(((CLAIM_BYTES + MAC_BYTES) * 4) / 3)}}$`);

/**
 * Row id, count and an HMAC over both: a secret that can be made again at any time and is stored nowhere.
 *
 * How long and how often it works is for the row to say.
 *
 * @param label a constant for each kind of token, so that none passes for another
 * @throws RangeError when the count is out of range, TypeError when the id is no UUID
 */
export function signVersionedToken(secret: ServerSecret, label: string, row: VersionedTokenClaims): string {
  const claim = Buffer.alloc(CLAIM_BYTES);
  claim.set(parse(row.id));
  claim.writeUInt32BE(row.count, ID_BYTES);
  return Buffer.concat([claim, secret.hmac(label, claim)]).toString('base64url');
}

/** @returns the row that the token was made for, or null when it was not made here under this label */
export function verifyVersionedToken(secret: ServerSecret, label: string, text: string): VersionedTokenClaims | null {
  if (!TOKEN.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Other last characters can stand for the same bytes; only the one spelling counts.
  if (bytes.toString('base64url') !== text) return null;
  const claim = bytes.subarray(0, CLAIM_BYTES);
  if (!secret.verifyHmac(label, claim, bytes.subarray(CLAIM_BYTES))) return null;
  return { id: stringify(claim.subarray(0, ID_BYTES)), count: claim.readUInt32BE(ID_BYTES) };
}
