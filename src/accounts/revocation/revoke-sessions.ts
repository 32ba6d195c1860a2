import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf, type Statement } from '../../database/index.js';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';

export interface RevokeSessionsParams {
  readonly account: LockedAccount;
  /** The session that is kept, such as the current one when users change their password. */
  readonly exceptSessionId?: string | undefined;
}

/**
 * Deletes the sessions that match a condition and stores their revocation at the time `$1`. A revocation counts from
 * the last refresh when that is later, which happens after the clock was set back.
 */
function revokingStatement(name: string, condition: string): Statement<{ readonly id: string }> {
  return statement(
    name,
    `
  with ended as (delete from session where ${condition} returning id, rotated_at)
  insert into session_revocation (session_id, revoked_at) select id, greatest($1::timestamptz, rotated_at) from ended
  returning session_id as id`,
  );
}

const SESSIONS_OF_USER = revokingStatement('revoke_sessions', 'user_id = $2 and id is distinct from $3::uuid');
const ONE_SESSION = revokingStatement('revoke_session', 'id = $2');
/** The array makes the planner find the sessions by id, whatever the number of other sessions. */
const USED_LEAST_RECENTLY = revokingStatement(
  'revoke_least_recently_used',
  `id = any(array(
    select id from session where user_id = $2 and expires_at > $1 order by rotated_at desc, id desc offset $3))`,
);

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
  return idsOf(await transactionOf(em).query(SESSIONS_OF_USER, [now, account.id, exceptSessionId ?? null]));
}

/**
 * Revokes one session in the caller's transaction; published as for `revokeSessions`.
 *
 * @returns an empty array when the session does not exist
 */
export async function revokeSessionById(em: EntityManager, sessionId: string, now: Date): Promise<string[]> {
  return idsOf(await transactionOf(em).query(ONE_SESSION, [now, sessionId]));
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
  return idsOf(await transactionOf(em).query(USED_LEAST_RECENTLY, [now, account.id, keep]));
}

function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
