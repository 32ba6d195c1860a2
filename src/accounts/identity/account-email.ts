import type { LockedAccount } from './locked-account.js';

/** The key of the account's verified address; null when the account has none. */
export function verifiedEmailKeyOf({ emailVerifiedAt, emailKey }: LockedAccount): string | null {
  return emailVerifiedAt === null ? null : emailKey;
}

export function hasUnverifiedEmail({ email, emailVerifiedAt }: LockedAccount): boolean {
  return email !== null && emailVerifiedAt === null;
}

/** Removes the account's address. A verification that is pending for another address stays. */
export function clearEmail(account: LockedAccount): void {
  Object.assign(account, { email: null, emailKey: null, emailVerifiedAt: null } satisfies Partial<LockedAccount>);
}
