import { DAY_MS } from '../../async/durations.js';
import { isOlderThanSql, type RetentionRule } from '../../database/index.js';
import { revocationTtlMs } from '../revocation/revocation-registry.js';
import type { Session } from './session.entity.js';

/** A session ends this long after its login, however often it is refreshed. */
export const MAX_SESSION_AGE_MS = 90 * DAY_MS;

/**
 * How long the predecessor of the current refresh token is accepted, for concurrent browser tabs and lost responses.
 */
export const REFRESH_GRACE_MS = 10_000;

/**
 * Decision on a genuine refresh token: `ROTATE` makes its successor the current token, `REPEAT` returns the current
 * token again, `STOLEN` revokes the session because a copy of the token was used, `INVALID` changes nothing.
 */
export type RefreshDecision = 'ROTATE' | 'REPEAT' | 'STOLEN' | 'INVALID';

/**
 * The check of a refresh token. `rotateSession` applies its rule for `ROTATE` in the statement that rotates. Needs no
 * lock for the other decisions, since a generation never decreases.
 */
export function decideRefresh(
  session: Pick<Session, 'generation' | 'rotatedAt' | 'expiresAt'>,
  generation: number,
  now: Date,
): RefreshDecision {
  // A higher generation was issued before the database was restored to an earlier state.
  if (session.expiresAt <= now || generation > session.generation) return 'INVALID';
  if (generation === session.generation) return 'ROTATE';
  const isPredecessor = generation === session.generation - 1;
  const isRecent = now.getTime() - session.rotatedAt.getTime() <= REFRESH_GRACE_MS;
  return isPredecessor && isRecent ? 'REPEAT' : 'STOLEN';
}

/** Expiry of a session that is used now. */
export function sessionExpiry(createdAt: Date, now: Date, refreshTokenTtlMs: number): Date {
  return new Date(Math.min(now.getTime() + refreshTokenTtlMs, createdAt.getTime() + MAX_SESSION_AGE_MS));
}

/** SQL for `sessionExpiry`. Milliseconds, because a day of an interval depends on the time zone. */
export function sessionExpirySql(createdAt: string, now: string, refreshTokenTtlMs: string): string {
  const after = (time: string, ms: string): string => `${time}::timestamptz + ${ms} * interval '1 millisecond'`;
  return `least(${after(now, `${refreshTokenTtlMs}::double precision`)}, ${after(createdAt, `${MAX_SESSION_AGE_MS}`)})`;
}

/** A session is retained until its last access token has expired, so that it can still be revoked. */
export function sessionRetentionRule(accessTokenTtlMs: number): RetentionRule {
  const condition = isOlderThanSql('expires_at', revocationTtlMs(accessTokenTtlMs));
  return { table: 'session', ageColumn: 'expires_at', condition };
}
