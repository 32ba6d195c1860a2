import type { EntityManager } from '@mikro-orm/postgresql';
import { ForbiddenError } from '../../errors/index.js';
import { Account } from '../account.entity.js';
import { recordOwnAudit } from '../audit/record-audit.js';
import { EmailVerification } from './email-verification.entity.js';

/** The key of an account's verified address, read within the caller's transaction; null when it has none. */
export async function findVerifiedEmail(em: EntityManager, userId: string): Promise<string | null> {
  const account = await em.findOne(Account, userId);
  return account === null || account.emailVerifiedAt === null ? null : account.emailKey;
}

/** @throws ForbiddenError `EMAIL_NOT_VERIFIED` when the account has no verified address */
export async function requireVerifiedEmail(em: EntityManager, userId: string): Promise<void> {
  if ((await findVerifiedEmail(em, userId)) === null) throw new ForbiddenError('EMAIL_NOT_VERIFIED');
}

/**
 * Marks an account's address as verified if it is the one that was proven in another way than by its own link: by the
 * secret of an invitation that was mailed to it.
 *
 * Does nothing when the account has another address, or when somebody else has verified this one before. Somebody
 * who does so at the same moment makes the commit fail with `EMAIL_TAKEN`.
 */
export async function acceptProofOfEmail(em: EntityManager, userId: string, emailKey: string, now: Date): Promise<void> {
  const account = await em.findOne(Account, userId);
  if (account?.emailKey !== emailKey || account.emailVerifiedAt !== null) return;
  if ((await em.count(Account, { emailKey, emailVerifiedAt: { $ne: null } })) > 0) return;
  account.emailVerifiedAt = now;
  recordOwnAudit(em, 'email.verified', userId, now, { by: 'invitation' });
  const asked = await em.findOne(EmailVerification, { userId, emailKey });
  if (asked !== null) asked.usedAt ??= now;
}
