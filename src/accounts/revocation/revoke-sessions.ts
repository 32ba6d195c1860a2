import type { EntityManager } from '@mikro-orm/postgresql';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';

export interface RevokeSessionsParams {
  readonly account: LockedAccount;
  /** The session that is kept, such as the current one when users change their password. */
  readonly exceptSessionId?: string | undefined;
}

/**
 * SQL that deletes the sessions that match a condition and stores their revocation. A revocation counts from the last
 * refresh when that is later, which happens after the clock was set back.
 */
const revokeSessionsSql = (condition: string): string => `
  with ended as (delete from session where ${condition} returning id, rotated_at)
  insert into session_revocation (session_id, revoked_at) select id, greatest(?::timestamptz, rotated_at) from ended
  returning session_id as id`;

const SESSIONS_OF_USER = revokeSessionsSql('user_id = ? and id is distinct from ?::uuid');
const ONE_SESSION = revokeSessionsSql('id = ?');
/** The array makes the planner find the sessions by id, whatever the number of other sessions. */
const USED_LEAST_RECENTLY = revokeSessionsSql(`id = any(array(
  select id from session where user_id = ? and expires_at > ? order by rotated_at desc, id desc offset ?))`);

/**
 * Revokes all sessions of a user, or all but one, in the caller's transaction.
 *
 * After the commit the caller passes the returned ids to `deps.revocations.publish`: from then on their access tokens
 * are rejected with `TOKEN_REVOKED` in this process, and within 1 s in every other process. That bound also holds when
 * the process ends before it publishes.
 *
 * Requires the account's row lock until the commit. A concurrent login has either stored its session, which is revoked
 * too, or waits and sees the changed password or account. Call it before the account is deleted.
 *
 * @returns the ids of the revoked sessions; may be empty
 */
export async function revokeSessions(
  em: EntityManager,
  { account, exceptSessionId }: RevokeSessionsParams,
  now: Date,
): Promise<string[]> {
  assertLockHeld(em, account);
  return idsOf(await em.execute<{ id: string }[]>(SESSIONS_OF_USER, [account.id, exceptSessionId ?? null, now]));
}

/**
 * Revokes one session in the caller's transaction; published as for `revokeSessions`.
 *
 * @returns an empty array when the session does not exist
 */
export async function revokeSessionById(em: EntityManager, sessionId: string, now: Date): Promise<string[]> {
  return idsOf(await em.execute<{ id: string }[]>(ONE_SESSION, [sessionId, now]));
}

/**
 * Revokes all sessions of a user but the `keep` most recently used ones, in the caller's transaction; published as for
 * `revokeSessions`.
 */
export async function revokeLeastRecentlyUsed(
  em: EntityManager,
  account: LockedAccount,
  keep: number,
  now: Date,
): Promise<string[]> {
  assertLockHeld(em, account);
  return idsOf(await em.execute<{ id: string }[]>(USED_LEAST_RECENTLY, [account.id, now, keep, now]));
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
