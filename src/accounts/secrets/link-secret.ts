import type { ServerSecret } from './server-secret.js';
import { signVersionedToken, verifyVersionedToken } from './versioned-token.js';

export type LinkPurpose = 'invitation' | 'verify-email' | 'reset-password';

/** The row that a mailed link belongs to. A higher version invalidates the links sent before. */
export interface LinkSecretClaims {
  /** A UUID; returned in lower case. */
  readonly id: string;
  /** 0 to 4,294,967,295. */
  readonly version: number;
}

/**
 * Derives the secret of a mailed link: row id, version and an HMAC over both and the purpose.
 *
 * It can be derived again at any time and is not stored. The row determines how long and how often it is valid.
 *
 * @throws RangeError when the version is out of range, TypeError when the id is no UUID
 */
export function deriveLinkSecret(secret: ServerSecret, purpose: LinkPurpose, row: LinkSecretClaims): string {
  return signVersionedToken(secret, labelOf(purpose), { id: row.id, count: row.version });
}

/** @returns the claims; null when this service did not derive the secret for this purpose */
export function verifyLinkSecret(secret: ServerSecret, purpose: LinkPurpose, text: string): LinkSecretClaims | null {
  const row = verifyVersionedToken(secret, labelOf(purpose), text);
  return row === null ? null : { id: row.id, version: row.count };
}

function labelOf(purpose: LinkPurpose): string {
  return `link:${purpose}`;
}
