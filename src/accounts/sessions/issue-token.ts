import { statement, type Database } from '../../database/index.js';
import { DomainError, UnauthenticatedError } from '../../errors/index.js';
import { emailKey, mayBeStoredAddress } from '../input/email.js';
import { usernameKey, validateUsername } from '../input/username.js';
import { normalizePassword } from '../passwords/password-policy.js';
import { verifyPassword, type StoredCredential, type VerifyPasswordDeps } from '../passwords/verify-password.js';
import type { ClientInfo } from '../ports/client-info.js';
import { isKnownNetworkSql } from '../rate-limiting/known-networks.js';
import { enforceSessionLimit, type EnforceSessionLimitDeps } from './enforce-session-limit.js';
import { startSession, type StartSessionDeps } from './start-session.js';
import { createTokenPair, type CreateTokenPairDeps, type TokenPair } from './token-pair.js';

export interface IssueTokenDeps
  extends VerifyPasswordDeps, StartSessionDeps, EnforceSessionLimitDeps, CreateTokenPairDeps {}

export interface Credentials {
  /** A username, or an email address that its owner has verified. */
  readonly username: string;
  readonly password: string;
}

const COLUMNS = `
  select id, password_hash as "passwordHash", disabled_at is not null as disabled, ${isKnownNetworkSql('$2')} as "isAtKnownNetwork"
  from account`;
const BY_USERNAME = statement<StoredCredential>('login_by_username', `${COLUMNS} where username_key = $1`);
const BY_EMAIL = statement<StoredCredential>(
  'login_by_email',
  `${COLUMNS} where email_key = $1 and email_verified_at is not null`,
);

/**
 * Exchanges a username and a password for an access token and a refresh token (specification, section 5, rule 2).
 *
 * An unknown user, a wrong password and a disabled account take the same time and get the same answer. A login beyond the
 * thousandth session ends the one that was used least recently.
 *
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError after too many failures, for the account or from the client's network
 * @throws UnavailableError `OVERLOADED` when too many passwords wait to be hashed
 */
export async function issueToken(
  deps: IssueTokenDeps,
  credentials: Credentials,
  client: ClientInfo,
): Promise<TokenPair> {
  // What the password was checked against may change meanwhile, if only because another login has rehashed it.
  const grant = (await tryToLogIn(deps, credentials, client)) ?? (await tryToLogIn(deps, credentials, client));
  if (grant === null) throw new UnauthenticatedError('WRONG_CREDENTIALS');
  return grant;
}

/** @returns null when the account was changed between the check of the password and the beginning of the session */
async function tryToLogIn(
  deps: IssueTokenDeps,
  credentials: Credentials,
  client: ClientInfo,
): Promise<TokenPair | null> {
  const { id: userId, passwordHash } = await verifyLogin(deps, credentials, client);
  const rehashed = deps.hasher.needsRehash(passwordHash)
    ? await deps.hasher.hash(normalizePassword(credentials.password))
    : null;
  const begun = await startSession(deps, { userId, passwordHash, rehashed }, client);
  if (begun === null) return null;
  if (begun.exceedsLimit) await enforceSessionLimit(deps, userId);
  return createTokenPair(deps, begun.session, begun.user);
}

/** Whoever reads the log is to see whose password is being guessed; the answer says nothing of it. */
async function verifyLogin(
  deps: IssueTokenDeps,
  { username: name, password }: Credentials,
  client: ClientInfo,
): Promise<StoredCredential> {
  const sought: { id?: string } = {};
  const find = async (mac: Buffer): Promise<StoredCredential | null> => {
    const found = await findLogin(deps.database, name, mac);
    if (found !== null) sought.id = found.id;
    return found;
  };
  try {
    return await verifyPassword(deps, { name, password, client, find });
  } catch (error) {
    if (error instanceof DomainError) error.subject = { userId: sought.id };
    throw error;
  }
}

/** A name that no account can have is looked up nowhere: the database would refuse some of them (NUL). */
async function findLogin(database: Database, name: string, mac: Buffer): Promise<StoredCredential | null> {
  if (validateUsername(name) === null) return (await database.query(BY_USERNAME, [usernameKey(name), mac]))[0] ?? null;
  if (mayBeStoredAddress(name)) return (await database.query(BY_EMAIL, [emailKey(name), mac]))[0] ?? null;
  return null;
}
