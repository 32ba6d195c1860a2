import { makeCounterToken, readCounterToken } from '../counter-token.js';
import type { ServerSecret } from '../server-secret.js';

/** What every refresh token begins with, so that people and secret scanners recognise one. */
const PREFIX = 'cvr_';
const LABEL = 'refresh-token';

/** One refresh token of a session. */
export interface TokenGeneration {
  readonly sessionId: string;
  /** Counted from 1. */
  readonly generation: number;
}

/** The same token for the same generation, always: the first server secret makes it, and nothing of it is stored. */
export function makeRefreshToken(secret: ServerSecret, { sessionId, generation }: TokenGeneration): string {
  return PREFIX + makeCounterToken(secret, LABEL, { id: sessionId, count: generation });
}

/** @returns which token of which session it is, whether or not that still stands; null when it was not made here */
export function readRefreshToken(secret: ServerSecret, token: string): TokenGeneration | null {
  if (!token.startsWith(PREFIX)) return null;
  const row = readCounterToken(secret, LABEL, token.slice(PREFIX.length));
  return row === null ? null : { sessionId: row.id, generation: row.count };
}
