import type { EntityManager } from '@mikro-orm/postgresql';
import { Account } from './account.entity.js';
import { recordAudit } from './audit/record-audit.js';
import type { LockedAccount } from './locked-account.js';
import { lockConfirmedAccount } from './passwords/confirm-password.js';
import { revokeSessions } from './revocation/revoke-sessions.js';

/**
 * Locks an account that is to be erased. Until the transaction ends no row anywhere can begin to refer to it; those that
 * are just being written are waited for, so lock what their writers lock (groups) before.
 *
 * @param confirmedHash what `confirmPassword` gave
 * @returns null when the password was replaced since: confirm it once more
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the account is gone or disabled
 */
export function lockAccountToErase(
  em: EntityManager,
  userId: string,
  confirmedHash: string,
): Promise<LockedAccount | null> {
  return lockConfirmedAccount(em, userId, confirmedHash, 'exclusive');
}

/** The account's own rows go by themselves; these refer to it without saying so to the database. */
const BESIDES = [
  'delete from account_event where user_id = ?',
  `delete from outbox_task where registered_user_id is null and payload ->> 'userId' = ?::text`,
];

/**
 * Erases, in the transaction that holds the account's lock, the account and everything that accounts keep about it. Its
 * username is free from then on. Rows of others that name it as somebody who did something forget who it was.
 *
 * @returns the sessions that ended, for `deps.revocations.announce` after the commit
 */
export async function eraseAccount(em: EntityManager, account: LockedAccount, now: Date): Promise<string[]> {
  const { id: userId, emailKey, emailVerifiedAt } = account;
  const ended = await revokeSessions(em, { account }, now);
  // Of nobody: the audit keeps that an account ended, but not whose it was.
  recordAudit(em, { action: 'account.deleted', actorId: null, subjectId: null }, now);
  for (const statement of BESIDES) await em.execute(statement, [userId]);
  // An address that was not proven may be somebody else's.
  if (emailVerifiedAt !== null) await em.execute('delete from password_reset where email_key = ?', [emailKey]);
  await em.nativeDelete(Account, userId);
  return ended;
}
