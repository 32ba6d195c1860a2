import type { ServerSecret } from './server-secret.js';
import { signVersionedToken, verifyVersionedToken } from './versioned-token.js';

export type LinkPurpose = 'invitation' | 'verify-email' | 'reset-password';

/** The row that a mailed link stands for; raising its issue ends the links sent before. */
export interface LinkSecretClaims {
  /** A UUID; comes back in lower case. */
  readonly id: string;
  /** 0 to 4,294,967,295. */
  readonly issue: number;
}

/**
 * The secret of a mailed link: row id, issue and an HMAC over both and the purpose.
 *
 * It can be made again at any time and is stored nowhere; that it works once, and how long, is for the row to say.
 *
 * @throws RangeError when the issue is out of range, TypeError when the id is no UUID
 */
export function deriveLinkSecret(secret: ServerSecret, purpose: LinkPurpose, row: LinkSecretClaims): string {
  return signVersionedToken(secret, labelOf(purpose), { id: row.id, count: row.issue });
}

/** @returns the row that the secret was made for, or null when it was not made here for this purpose */
export function verifyLinkSecret(secret: ServerSecret, purpose: LinkPurpose, text: string): LinkSecretClaims | null {
  const row = verifyVersionedToken(secret, labelOf(purpose), text);
  return row === null ? null : { id: row.id, issue: row.count };
}

function labelOf(purpose: LinkPurpose): string {
  return `link:${purpose}`;
}
