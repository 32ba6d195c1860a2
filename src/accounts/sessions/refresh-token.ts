import type { ServerSecret } from '../secrets/server-secret.js';
import { signVersionedToken, verifyVersionedToken } from '../secrets/versioned-token.js';

/** What every refresh token begins with, so that people and secret scanners recognise one. */
const PREFIX = 'cvr_';
const LABEL = 'refresh-token';

/** One refresh token of a session. */
export interface RefreshTokenClaims {
  readonly sessionId: string;
  /** Counted from 1. */
  readonly generation: number;
}

/** The same token for the same generation, always: the first server secret makes it, and nothing of it is stored. */
export function signRefreshToken(secret: ServerSecret, { sessionId, generation }: RefreshTokenClaims): string {
  return PREFIX + signVersionedToken(secret, LABEL, { id: sessionId, count: generation });
}

/** @returns which token of which session it is, whether or not that still stands; null when it was not made here */
export function verifyRefreshToken(secret: ServerSecret, token: string): RefreshTokenClaims | null {
  if (!token.startsWith(PREFIX)) return null;
  const row = verifyVersionedToken(secret, LABEL, token.slice(PREFIX.length));
  return row === null ? null : { sessionId: row.id, generation: row.count };
}
