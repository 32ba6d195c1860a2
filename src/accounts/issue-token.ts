import { type Database, inTransaction, statement } from '../database/index.js';
import { UnauthenticatedError } from '../errors/index.js';
import type { ViewerView } from './account-reads.js';
import { Account } from './account.entity.js';
import type { AccountsDeps } from './deps.js';
import { emailKey, emailProblem } from './email.js';
import { newId } from './new-id.js';
import { passwordToVerify } from './password-policy.js';
import { Session } from './session.entity.js';
import { usernameKey, usernameProblem } from './username.js';
import { viewerView } from './views.js';

export interface Credentials {
  /** A username, or an email address that its owner has verified. */
  readonly username: string;
  readonly password: string;
}

export interface TokenGrant {
  readonly accessToken: string;
  /** Seconds for which the access token is valid. */
  readonly expiresIn: number;
  readonly user: ViewerView;
}

interface LoginRow {
  readonly id: string;
  readonly passwordHash: string;
  readonly disabled: boolean;
}

const COLUMNS = 'select id, password_hash as "passwordHash", disabled_at is not null as disabled from account';
const BY_USERNAME = statement<LoginRow>('login_by_username', `${COLUMNS} where username_key = $1`);
const BY_EMAIL = statement<LoginRow>('login_by_email', `${COLUMNS} where email_key = $1 and email_verified_at is not null`);

/**
 * Exchanges a username and a password for an access token (specification, section 5, rule 2).
 *
 * An unknown user, a wrong password and a disabled account take the same time and get the same answer.
 *
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws UnavailableError `OVERLOADED` when too many passwords wait to be hashed
 */
export async function issueToken(deps: AccountsDeps, credentials: Credentials): Promise<TokenGrant> {
  const login = await findLogin(deps.database, credentials.username);
  const matches = await deps.hasher.verify(login?.passwordHash ?? null, passwordToVerify(credentials.password));
  if (login === null || !matches || login.disabled) throw new UnauthenticatedError('WRONG_CREDENTIALS');
  const strongerHash = deps.hasher.isOutdated(login.passwordHash)
    ? await deps.hasher.hash(passwordToVerify(credentials.password))
    : null;
  const { user, sessionId } = await beginSession(deps, login.id, strongerHash);
  return { ...deps.accessTokens.sign({ userId: user.id, sessionId, roles: user.roles }), user };
}

/** A name that no account can have is looked up nowhere: the database would refuse some of them (NUL). */
async function findLogin(database: Database, name: string): Promise<LoginRow | null> {
  if (usernameProblem(name) === null) return (await database.read(BY_USERNAME, [usernameKey(name)]))[0] ?? null;
  if (emailProblem(name) === null) return (await database.read(BY_EMAIL, [emailKey(name)]))[0] ?? null;
  return null;
}

async function beginSession(
  deps: Pick<AccountsDeps, 'database' | 'clock'>,
  userId: string,
  strongerHash: string | null,
): Promise<{ user: ViewerView; sessionId: string }> {
  return inTransaction(deps.database, async (em) => {
    const account = await em.findOne(Account, userId);
    // Deleted while its password was being checked.
    if (account === null) throw new UnauthenticatedError('WRONG_CREDENTIALS');
    const now = deps.clock.now();
    account.lastLoginAt = now;
    if (strongerHash !== null) account.passwordHash = strongerHash;
    const session = em.create(Session, { id: newId(), userId, createdAt: now });
    em.persist(session);
    return { user: viewerView(account), sessionId: session.id };
  });
}
