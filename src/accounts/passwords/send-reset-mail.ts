import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, statement, transactionOf, type Database } from '../../database/index.js';
import { PasswordReset } from '../mailed-links/password-reset.entity.js';
import type { Clock } from '../ports/clock.js';
import type { Mailer } from '../ports/mailer.js';
import { deriveLinkSecret } from '../secrets/link-secret.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { RESET_LINK_TTL_MINUTES } from './request-password-reset.js';
import { buildResetPasswordMail } from './reset-password-mail.js';

export interface SendResetMailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  readonly frontendUrl: string;
}

/** Each row has one link only, so its version is constant. */
export const RESET_LINK_VERSION = 1;

interface ResetRow {
  readonly username: string;
  readonly email: string;
}

/** Assigns the reset to the account that has verified the address. */
const BIND = statement<ResetRow>(
  'bind_password_reset',
  `
  update password_reset set user_id = account.id from account
  where password_reset.id = $1 and expires_at > $2 and coalesce(user_id = account.id, true)
    and account.email_key = password_reset.email_key and email_verified_at is not null and disabled_at is null
  returning username, email`,
);

/**
 * Mails a requested reset link.
 *
 * @returns `SKIPPED` when no account has verified the address, or the request has expired; the request is deleted then
 */
export async function sendResetMail(
  { database, clock, mailer, serverSecret, frontendUrl }: SendResetMailDeps,
  { resetId: id, mailId }: { readonly resetId: string; readonly mailId: string },
): Promise<'DONE' | 'SKIPPED'> {
  const account = await inTransaction(database, (em) => bindToAccount(em, id, clock.now()));
  if (account === null) return 'SKIPPED';
  const secret = deriveLinkSecret(serverSecret, 'reset-password', { id, version: RESET_LINK_VERSION });
  await mailer.send(
    buildResetPasswordMail({
      id: mailId,
      to: account.email,
      username: account.username,
      link: `${frontendUrl}/reset-password#secret=${secret}`,
      validForMinutes: RESET_LINK_TTL_MINUTES,
    }),
  );
  return 'DONE';
}

/**
 * Binds the link to the account, also if the address later moves to another one. Deletes a request without an account.
 */
async function bindToAccount(em: EntityManager, id: string, now: Date): Promise<ResetRow | null> {
  const [account] = await transactionOf(em).query(BIND, [id, now]);
  if (account === undefined) await em.nativeDelete(PasswordReset, { id });
  return account ?? null;
}
