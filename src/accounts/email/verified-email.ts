import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import { ForbiddenError } from '../../errors/index.js';
import { recordSelfAuditEvent } from '../audit/record-audit-event.js';
import { Account } from '../identity/account.entity.js';
import type { LockedAccount } from '../identity/locked-account.js';
import { findEmailVerification } from '../mailed-links/email-verification.js';

const LOCK_VERIFIED_ACCOUNT = statement<object>(
  'lock_verified_account',
  `
  select 1 from account where id = $1 and email_verified_at is not null for share`,
);

/**
 * Requires a verified address. Takes a `FOR SHARE` row lock, so that the account keeps the address until the
 * transaction ends.
 *
 * @throws ForbiddenError `EMAIL_NOT_VERIFIED`
 */
export async function requireVerifiedEmail(em: EntityManager, userId: string): Promise<void> {
  if ((await transactionOf(em).query(LOCK_VERIFIED_ACCOUNT, [userId])).length === 0)
    throw new ForbiddenError('EMAIL_NOT_VERIFIED');
}

/**
 * Marks an account's address as verified when it is the one that the user proved by the secret of a mailed invitation.
 *
 * Does nothing when the account has another address, or when another account has verified this one. If another account
 * verifies it concurrently, the commit fails with `EMAIL_TAKEN`. Requires `lockAddresses` and the account's exclusive
 * row lock.
 *
 * @returns whether this call verified the address
 */
export async function markEmailVerified(
  em: EntityManager,
  account: LockedAccount,
  emailKey: string,
  now: Date,
): Promise<boolean> {
  if (account.emailKey !== emailKey || account.emailVerifiedAt !== null) return false;
  if (await isVerifiedAddress(em, emailKey)) return false;
  account.emailVerifiedAt = now;
  recordSelfAuditEvent(em, 'email.verified', account.id, now, { by: 'invitation' });
  const verification = await findEmailVerification(em, account);
  if (verification?.emailKey === emailKey) verification.usedAt ??= now;
  return true;
}

/** Whether an account has verified the address. */
export async function isVerifiedAddress(em: EntityManager, emailKey: string): Promise<boolean> {
  return (await em.count(Account, { emailKey, emailVerifiedAt: { $ne: null } })) > 0;
}
