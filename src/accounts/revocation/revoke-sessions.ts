import type { EntityManager } from '@mikro-orm/postgresql';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';

/** Whose sessions end. */
export interface RevokeSessionsParams {
  readonly account: LockedAccount;
  /** The one that stays, as when a person changes their own password. */
  readonly exceptSessionId?: string | undefined;
}

/**
 * What ends the rows that `which` selects, and remembers for the life of their access tokens that they did. That life began
 * with the last refresh, which lies ahead of a clock that has been set back since.
 */
const revokedSessionIds = (which: string): string => `
  with ended as (delete from session where ${which} returning id, rotated_at)
  insert into session_revocation (session_id, revoked_at) select id, greatest(?::timestamptz, rotated_at) from ended
  returning session_id as id`;

const SESSIONS_OF_USER = revokedSessionIds('user_id = ? and id is distinct from ?::uuid');
const ONE_SESSION = revokedSessionIds('id = ?');
/** As an array, so that they are found by their ids however many sessions others have. */
const USED_LEAST_RECENTLY = revokedSessionIds(`id = any(array(
  select id from session where user_id = ? and expires_at > ? order by rotated_at desc, id desc offset ?))`);

/**
 * Ends a person's sessions, all or all but one, in the caller's transaction.
 *
 * After the commit the caller hands the ids that come back to `deps.revocations.announce`: from then on their access
 * tokens are `TOKEN_REVOKED` on this node, and within a second on every other. A caller that is killed before it
 * announces delays that by less than a second.
 *
 * The account's row stays locked until the commit, so a login that is under way has either stored its session by now,
 * which then ends too, or waits and sees what this transaction did to the password or the account. Call it before or
 * after that change, but before deleting the account.
 *
 * @returns the ids of the sessions that ended; none is no error
 */
export async function revokeSessions(
  em: EntityManager,
  { account, exceptSessionId }: RevokeSessionsParams,
  now: Date,
): Promise<string[]> {
  assertLockHeld(em, account);
  return idsOf(await em.execute<{ id: string }[]>(SESSIONS_OF_USER, [account.id, exceptSessionId ?? null, now]));
}

/** Ends one session, in the caller's transaction; announced as `revokeSessions` says. A session that is gone gives no id. */
export async function revokeSessionById(em: EntityManager, sessionId: string, now: Date): Promise<string[]> {
  return idsOf(await em.execute<{ id: string }[]>(ONE_SESSION, [sessionId, now]));
}

/**
 * Ends the sessions of a person that were used least recently, all but `keep`, in the caller's transaction; announced
 * as `revokeSessions` says.
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
