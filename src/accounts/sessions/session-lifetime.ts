import { DAY_MS } from '../../async/durations.js';
import type { Session } from './session.entity.js';

/** However often it is refreshed, a session ends this long after its login. */
export const MAX_SESSION_AGE_MS = 90 * DAY_MS;

/** How long the predecessor of the current refresh token is forgiven: two tabs at once, or an answer that was lost. */
export const REFRESH_GRACE_MS = 10_000;

/**
 * What presenting a genuine refresh token comes to: `ROTATE` makes the successor the current one, `REPEAT` gives out the
 * current one again, `STOLEN` ends the session, because a copy of the token must have been used before, and `INVALID`
 * changes nothing.
 */
export type RefreshDecision = 'ROTATE' | 'REPEAT' | 'STOLEN' | 'INVALID';

/** Nothing else decides whether a refresh token is good; the session's row must be locked meanwhile. */
export function decideRefresh(
  session: Pick<Session, 'generation' | 'rotatedAt' | 'expiresAt'>,
  generation: number,
  now: Date,
): RefreshDecision {
  // A later generation than the current one was given out before the database was restored to an earlier state.
  if (session.expiresAt <= now || generation > session.generation) return 'INVALID';
  if (generation === session.generation) return 'ROTATE';
  const isPredecessor = generation === session.generation - 1;
  const isRecent = now.getTime() - session.rotatedAt.getTime() <= REFRESH_GRACE_MS;
  return isPredecessor && isRecent ? 'REPEAT' : 'STOLEN';
}

/** When a session that is used now ends, if it is not used again. */
export function sessionExpiry(createdAt: Date, now: Date, refreshTokenTtlMs: number): Date {
  return new Date(Math.min(now.getTime() + refreshTokenTtlMs, createdAt.getTime() + MAX_SESSION_AGE_MS));
}
