import type { EntityManager } from '@mikro-orm/postgresql';
import { ForbiddenError } from '../../errors/index.js';
import { recordSelfAuditEvent } from '../audit/record-audit-event.js';
import { Account } from '../identity/account.entity.js';
import type { LockedAccount } from '../identity/locked-account.js';
import { findEmailVerification } from '../mailed-links/email-verification.js';

const VERIFIED = 'select 1 from account where id = ? and email_verified_at is not null for share';

/**
 * Requires a verified address, which the account then keeps until the transaction ends.
 *
 * @throws ForbiddenError `EMAIL_NOT_VERIFIED` when the account has none
 */
export async function requireVerifiedEmail(em: EntityManager, userId: string): Promise<void> {
  if ((await em.execute<object[]>(VERIFIED, [userId])).length === 0) throw new ForbiddenError('EMAIL_NOT_VERIFIED');
}

/**
 * Marks an account's address as verified if it is the one that was proven in another way than by its own link: by the
 * secret of an invitation that was mailed to it.
 *
 * Does nothing when the account has another address, or when somebody else has verified this one before. Somebody
 * who does so at the same moment makes the commit fail with `EMAIL_TAKEN`. Requires `lockAddresses`, and
 * the account's exclusive row lock.
 *
 * @returns whether the address is verified by this call
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
  const asked = await findEmailVerification(em, account);
  if (asked?.emailKey === emailKey) asked.usedAt ??= now;
  return true;
}

/** Whether an account has verified the address. */
export async function isVerifiedAddress(em: EntityManager, emailKey: string): Promise<boolean> {
  return (await em.count(Account, { emailKey, emailVerifiedAt: { $ne: null } })) > 0;
}
