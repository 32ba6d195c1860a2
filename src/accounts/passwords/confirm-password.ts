import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, type Database } from '../../database/index.js';
import type { ViewerView } from '../identity/account-loaders.js';
import { requireLockedAccount, type AccountLock, type LockedAccount } from '../identity/locked-account.js';
import type { ClientInfo } from '../ports/client-info.js';
import { isKnownNetworkSql } from '../rate-limiting/known-networks.js';
import { verifyPassword, type StoredCredential, type VerifyPasswordDeps } from './verify-password.js';

export interface ConfirmPasswordDeps extends VerifyPasswordDeps {
  readonly database: Database;
}

/** Password that a signed-in user enters again for a sensitive action. */
export interface PasswordConfirmation {
  readonly password: string;
  readonly client: ClientInfo;
}

const BY_ID = statement<StoredCredential>(
  'password_by_id',
  `
  select id, password_hash as "passwordHash", disabled_at is not null as disabled,
    ${isKnownNetworkSql('$2')} as "isAtKnownNetwork"
  from account where id = $1`,
);

/** @param mac HMAC of the client's network, as returned by `networkMac` */
export async function findCredential(
  database: Database,
  userId: string,
  mac: Buffer,
): Promise<StoredCredential | null> {
  return (await database.query(BY_ID, [userId, mac]))[0] ?? null;
}

/**
 * Verifies the password of a signed-in user. Failures count like failed logins with the username.
 *
 * @returns the hash that it was verified against, for `lockConfirmedAccount`
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError
 * @throws UnavailableError
 */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  { id, username: name }: Pick<ViewerView, 'id' | 'username'>,
  proof: PasswordConfirmation,
): Promise<string> {
  const find = (mac: Buffer): Promise<StoredCredential | null> => findCredential(deps.database, id, mac);
  return (await verifyPassword(deps, { name, isSignedIn: true, ...proof, find })).passwordHash;
}

/**
 * Locks an account whose password was confirmed before the transaction.
 *
 * @returns null when the stored hash differs by now: the password was replaced, or a login rehashed it. Confirm it
 *   again.
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the account is deleted or disabled
 */
export async function lockConfirmedAccount(
  em: EntityManager,
  userId: string,
  confirmedHash: string,
  lock: AccountLock = 'change',
): Promise<LockedAccount | null> {
  const account = await requireLockedAccount(em, userId, lock);
  return account.passwordHash === confirmedHash ? account : null;
}
