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

/** What a signed-in person gives to show that it is them and not merely their token. */
export interface PasswordConfirmation {
  readonly password: string;
  readonly client: ClientInfo;
}

const BY_ID = statement<StoredCredential>(
  'password_by_id',
  `
  select id, password_hash as "passwordHash", disabled_at is not null as disabled, ${isKnownNetworkSql('$2')} as "isAtKnownNetwork"
  from account where id = $1`,
);

/** @param mac stands for the client's network, as `networkMac` gives it */
export async function findPasswordHolder(
  database: Database,
  userId: string,
  mac: Buffer,
): Promise<StoredCredential | null> {
  return (await database.query(BY_ID, [userId, mac]))[0] ?? null;
}

/**
 * Makes sure that a signed-in person knows their password; failures count like failed logins with the username.
 *
 * @returns the hash that it was checked against, for `lockConfirmedAccount`
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError
 * @throws UnavailableError
 */
export async function confirmPassword(
  deps: ConfirmPasswordDeps,
  { id, username: name }: Pick<ViewerView, 'id' | 'username'>,
  proof: PasswordConfirmation,
): Promise<string> {
  const find = (mac: Buffer): Promise<StoredCredential | null> => findPasswordHolder(deps.database, id, mac);
  return (await verifyPassword(deps, { name, isSignedIn: true, ...proof, find })).passwordHash;
}

/**
 * Locks an account whose password was confirmed before the transaction began.
 *
 * @returns null when the password was replaced since: what was confirmed then is worth nothing now. It may also have
 *   been hashed anew by a login, so confirm it once more.
 * @throws UnauthenticatedError `TOKEN_REVOKED` when the account is gone or disabled
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
