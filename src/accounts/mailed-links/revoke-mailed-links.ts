import type { EntityManager } from '@mikro-orm/postgresql';
import type { LockedAccount } from '../identity/locked-account.js';
import { cancelEmailVerification } from './email-verification.js';
import { PasswordReset } from './password-reset.entity.js';

/** Revokes every link that was mailed for the account: password resets and the pending email verification. */
export async function revokeMailedLinks(em: EntityManager, account: LockedAccount): Promise<void> {
  await em.nativeDelete(PasswordReset, { userId: account.id });
  await cancelEmailVerification(em, account);
}
