import type { ServerSecret } from '../secrets/server-secret.js';
import { signVersionedToken, verifyVersionedToken } from '../secrets/versioned-token.js';

/** Prefix of every refresh token, for users and secret scanners. */
const PREFIX = 'cvr_';
const LABEL = 'refresh-token';

export interface RefreshTokenClaims {
  readonly sessionId: string;
  /** Counted from 1. */
  readonly generation: number;
}

/**
 * Signs a refresh token. Deterministic: the same generation gives the same token while the first server secret stays.
 * It is not stored.
 */
export function signRefreshToken(secret: ServerSecret, { sessionId, generation }: RefreshTokenClaims): string {
  return PREFIX + signVersionedToken(secret, LABEL, { id: sessionId, count: generation });
}

/** @returns the claims, whether or not the session is still valid; null when this service did not sign the token */
export function verifyRefreshToken(secret: ServerSecret, token: string): RefreshTokenClaims | null {
  if (!token.startsWith(PREFIX)) return null;
  const row = verifyVersionedToken(secret, LABEL, token.slice(PREFIX.length));
  return row === null ? null : { sessionId: row.id, generation: row.count };
}
