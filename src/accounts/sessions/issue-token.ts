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
  /** A username or a verified email address. */
  readonly username: string;
  readonly password: string;
}

const COLUMNS = `
  select id, password_hash as "passwordHash", disabled_at is not null as disabled,
    ${isKnownNetworkSql('$2')} as "isAtKnownNetwork"
  from account`;
const BY_USERNAME = statement<StoredCredential>('login_by_username', `${COLUMNS} where username_key = $1`);
const BY_EMAIL = statement<StoredCredential>(
  'login_by_email',
  `${COLUMNS} where email_key = $1 and email_verified_at is not null`,
);

/**
 * Exchanges a username and password for an access token and a refresh token (specification, section 5, rule 2).
 *
 * An unknown user, a wrong password and a disabled account take the same time and give the same error. A login beyond
 * 1,000 sessions revokes the least recently used ones.
 *
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError after too many failures for the account or from the client's network
 * @throws UnavailableError `OVERLOADED` when too many passwords are queued for hashing
 */
export async function issueToken(
  deps: IssueTokenDeps,
  credentials: Credentials,
  client: ClientInfo,
): Promise<TokenPair> {
  // The stored hash may change between verification and start of the session: a concurrent login may rehash it.
  const tokens = (await tryToLogIn(deps, credentials, client)) ?? (await tryToLogIn(deps, credentials, client));
  if (tokens === null) throw new UnauthenticatedError('WRONG_CREDENTIALS');
  return tokens;
}

/** @returns null when the account changed between the verification and the start of the session */
async function tryToLogIn(
  deps: IssueTokenDeps,
  credentials: Credentials,
  client: ClientInfo,
): Promise<TokenPair | null> {
  const { id: userId, passwordHash } = await verifyLogin(deps, credentials, client);
  const rehashed = deps.hasher.needsRehash(passwordHash)
    ? await deps.hasher.hash(normalizePassword(credentials.password))
    : null;
  const started = await startSession(deps, { userId, passwordHash, rehashed }, client);
  if (started === null) return null;
  if (started.exceedsLimit) await enforceSessionLimit(deps, userId);
  return createTokenPair(deps, started.session, started.user);
}

/** Names the account in the log only; the response does not reveal it. */
async function verifyLogin(
  deps: IssueTokenDeps,
  { username: name, password }: Credentials,
  client: ClientInfo,
): Promise<StoredCredential> {
  const subject: { id?: string } = {};
  const find = async (mac: Buffer): Promise<StoredCredential | null> => {
    const found = await findLogin(deps.database, name, mac);
    if (found !== null) subject.id = found.id;
    return found;
  };
  try {
    return await verifyPassword(deps, { name, password, client, find });
  } catch (error) {
    if (error instanceof DomainError) error.subject = { userId: subject.id };
    throw error;
  }
}

/** Does not query names that no account can have: PostgreSQL rejects some of them (NUL). */
async function findLogin(database: Database, name: string, mac: Buffer): Promise<StoredCredential | null> {
  if (validateUsername(name) === null) return (await database.query(BY_USERNAME, [usernameKey(name), mac]))[0] ?? null;
  if (mayBeStoredAddress(name)) return (await database.query(BY_EMAIL, [emailKey(name), mac]))[0] ?? null;
  return null;
}
