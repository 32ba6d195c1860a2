import type { EntityManager } from '@mikro-orm/postgresql';
import type { LockedAccount } from '../identity/locked-account.js';
import { cancelEmailVerification } from './email-verification.js';

/** Removes an account's address, and the one that was to replace it. */
export async function removeEmail(em: EntityManager, account: LockedAccount): Promise<void> {
  Object.assign(account, { email: null, emailKey: null, emailVerifiedAt: null } satisfies Partial<LockedAccount>);
  await cancelEmailVerification(em, account);
}

export function hasUnverifiedEmail({ email, emailVerifiedAt }: LockedAccount): boolean {
  return email !== null && emailVerifiedAt === null;
}
