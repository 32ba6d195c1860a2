import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, statement, type Database } from '../../database/index.js';
import { InvalidInputError } from '../../errors/index.js';
import { recordSelfAuditEvent } from '../audit/record-audit-event.js';
import { lockAccount, type LockedAccount } from '../identity/locked-account.js';
import { PasswordReset } from '../mailed-links/password-reset.entity.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import { toClientNetwork } from '../rate-limiting/client-network.js';
import { networkMac, rememberNetwork } from '../rate-limiting/known-networks.js';
import { verifyLinkSecret } from '../secrets/link-secret.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { requireAcceptablePassword } from './password-policy.js';
import { RESET_LINK_VERSION } from './send-reset-mail.js';
import {
  publishPasswordSet,
  setPassword,
  type PasswordSetEffects,
  type PublishPasswordSetDeps,
} from './set-password.js';
import { countedName, type VerifyPasswordDeps } from './verify-password.js';

export interface ResetPasswordDeps extends VerifyPasswordDeps, PublishPasswordSetDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly passwordMinLength: number;
}

export interface ResetPasswordParams {
  /** From the mailed link. */
  readonly secret: string;
  readonly newPassword: string;
}

interface ResettableRow {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
}

/** An unexpired reset whose account still has the verified address. */
const RESETTABLE = statement<ResettableRow>(
  'resettable_account',
  `
  select account.id as "userId", username, email
  from password_reset reset join account on account.id = reset.user_id and account.email_key = reset.email_key
  where reset.id = $1 and expires_at > $2 and email_verified_at is not null and disabled_at is null`,
);

/**
 * Sets a new password with the secret of a mailed link, revokes all sessions of the account and sends a notice. The
 * secret works once.
 *
 * Clears the failed logins of the account from the client's network, so that the owner can log in immediately.
 *
 * @returns the number of revoked sessions, and their user
 * @throws InvalidInputError `SECRET_INVALID` when it was used, forged or has expired; `PASSWORD_TOO_SHORT`,
 *   `PASSWORD_TOO_LONG` or `PASSWORD_TOO_COMMON` for the password, after which the secret still works
 */
export async function resetPassword(
  deps: ResetPasswordDeps,
  { secret, newPassword }: ResetPasswordParams,
  client: ClientInfo,
): Promise<{ revokedSessions: number; userId: string }> {
  const id = resetIdOf(deps.serverSecret, secret);
  const [account] = await deps.database.query(RESETTABLE, [id, deps.clock.now()]);
  if (account === undefined) throw invalidSecret();
  const { username, email } = account;
  const password = requireAcceptablePassword(newPassword, {
    field: 'newPassword',
    minLength: deps.passwordMinLength,
    username,
    email,
  });
  const passwordHash = await deps.hasher.hash(password);
  const { userId } = account;
  const names = [username, email].map((name) => ({ name: countedName(name) }));
  await deps.limits.logins.clearFailures([{ accountId: userId }, ...names], toClientNetwork(client.address));
  const effects = await inTransaction(deps.database, (em) => useReset(em, deps, { id, userId, passwordHash, client }));
  return { ...publishPasswordSet(deps, effects), userId };
}

function resetIdOf(serverSecret: ServerSecret, secret: string): string {
  const link = verifyLinkSecret(serverSecret, 'reset-password', secret);
  if (link?.version !== RESET_LINK_VERSION) throw invalidSecret();
  return link.id;
}

interface AcceptedReset {
  readonly id: string;
  readonly userId: string;
  readonly passwordHash: string;
  readonly client: ClientInfo;
}

/** Locks the account first, so that the second of two concurrent uses of a secret finds it deleted. */
async function useReset(
  em: EntityManager,
  deps: ResetPasswordDeps,
  { id, userId, passwordHash, client }: AcceptedReset,
): Promise<PasswordSetEffects> {
  const now = deps.clock.now();
  const account = await lockAccount(em, userId);
  const reset = await em.findOne(PasswordReset, { id, userId, expiresAt: { $gt: now } });
  if (account === null || reset === null || !mayUse(account, reset)) throw invalidSecret();
  await rememberNetwork(em, userId, networkMac(deps.serverSecret, client), now);
  recordSelfAuditEvent(em, 'password.reset', userId, now);
  return setPassword(em, account, { passwordHash, notice: 'notify_password_reset' }, now);
}

function mayUse(account: LockedAccount, { emailKey }: PasswordReset): boolean {
  return account.disabledAt === null && account.emailVerifiedAt !== null && account.emailKey === emailKey;
}

function invalidSecret(): InvalidInputError {
  return new InvalidInputError(
    [{ field: 'secret', message: 'must be one that was mailed, unused and not expired' }],
    'SECRET_INVALID',
  );
}
