import { parse, stringify } from 'uuid';
import type { ServerSecret } from './server-secret.js';

export type LinkPurpose = 'invitation' | 'verify-email' | 'reset-password';

/** The row that a mailed link stands for; raising its issue ends the links sent before. */
export interface LinkedRow {
  /** A UUID; comes back in lower case. */
  readonly id: string;
  /** 0 to 4,294,967,295. */
  readonly issue: number;
}

const ID_BYTES = 16;
const ISSUE_BYTES = 4;
const CLAIM_BYTES = ID_BYTES + ISSUE_BYTES;
const MAC_BYTES = 32;
/** Base64url of all of it, without padding: 70 characters. */
const SECRET = new RegExp(`^[A-Za-z0-9_-]{${Math.ceil(((CLAIM_BYTES + MAC_BYTES) * 4) / 3)}}$`);

/**
 * The secret of a mailed link: row id, issue and an HMAC over both and the purpose.
 *
 * It can be made again at any time and is stored nowhere; that it works once, and how long, is for the row to say.
 *
 * @throws RangeError when the issue is out of range, TypeError when the id is no UUID
 */
export function makeLinkSecret(secret: ServerSecret, purpose: LinkPurpose, row: LinkedRow): string {
  const claim = Buffer.alloc(CLAIM_BYTES);
  claim.set(parse(row.id));
  claim.writeUInt32BE(row.issue, ID_BYTES);
  return Buffer.concat([claim, secret.hmac(labelOf(purpose), claim)]).toString('base64url');
}

/** @returns the row that the secret was made for, or null when it was not made here for this purpose */
export function readLinkSecret(secret: ServerSecret, purpose: LinkPurpose, text: string): LinkedRow | null {
  if (!SECRET.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // Other last characters can stand for the same bytes; only the one spelling counts.
  if (bytes.toString('base64url') !== text) return null;
  const claim = bytes.subarray(0, CLAIM_BYTES);
  if (!secret.verifyHmac(labelOf(purpose), claim, bytes.subarray(CLAIM_BYTES))) return null;
  return { id: stringify(claim.subarray(0, ID_BYTES)), issue: claim.readUInt32BE(ID_BYTES) };
}

function labelOf(purpose: LinkPurpose): string {
  return `link:${purpose}`;
}
