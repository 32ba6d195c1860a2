import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../account.entity.js';
import { EmailVerification } from '../email-verification.entity.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';
import { PasswordReset } from './password-reset.entity.js';

/** Who sets a password, and what stays of their sessions. */
export interface NewPassword {
  readonly passwordHash: string;
  /** The session that stays; every other one ends. */
  readonly exceptSessionId?: string;
}

/**
 * Gives an account another password, in the caller's transaction, which holds its lock. Whoever knew the old one loses
 * everything that it was good for: sessions, reset links, and a change of the email address that is not proven yet,
 * with which the new password could be reset.
 *
 * @returns the sessions that ended, to be announced after the commit
 */
export async function setPassword(em: EntityManager, account: Account, { passwordHash, exceptSessionId }: NewPassword, now: Date): Promise<string[]> {
  account.passwordHash = passwordHash;
  await em.nativeDelete(PasswordReset, { userId: account.id });
  await em.nativeDelete(EmailVerification, { userId: account.id, emailKey: { $ne: account.emailKey } });
  return revokeSessions(em, { userId: account.id, exceptSessionId }, now);
}
