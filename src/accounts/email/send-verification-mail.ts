import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import { RateLimitedError } from '../../errors/index.js';
import { VERIFICATION_LINK_TTL_HOURS } from '../mailed-links/email-verification.js';
import type { Clock } from '../ports/clock.js';
import type { Mailer } from '../ports/mailer.js';
import type { RateLimiter } from '../rate-limiting/rate-limiter.js';
import { deriveLinkSecret } from '../secrets/link-secret.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { buildVerifyEmailMail } from './verify-email-mail.js';

export interface SendVerificationMailDeps {
  readonly findOpenVerification: BatchLoader<VerificationMailTask, VerificationRow>;
  readonly limits: RateLimiter;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  readonly frontendUrl: string;
}

interface VerificationMailTask {
  readonly userId: string;
  readonly mailId: string;
}

interface VerificationRow {
  readonly mailId: string;
  readonly username: string;
  readonly email: string;
  readonly emailKey: string;
  readonly version: number;
  /**
   * A request for a mail was counted when it arrived. A registration is counted with the first attempt to send its
   * mail.
   */
  readonly isUncounted: boolean;
}

const OPEN_VERIFICATIONS = statement<VerificationRow>(
  'open_verifications',
  `
  select mail.id as "mailId", a.username, v.email, v.email_key as "emailKey", v.issue as version,
    exists (
      select from outbox_task where id = mail.id and registered_user_id is not null and attempts <= 1
    ) as "isUncounted"
  from unnest($1::uuid[], $2::uuid[]) as mail (id, user_id)
  join email_verification v on v.user_id = mail.user_id
  join account a on a.id = v.user_id
  where v.user_id = any($2::uuid[]) and a.id = any($2::uuid[]) and v.used_at is null and v.expires_at > $3`,
);

/** Creates the loader of the latest verification that a mail is for; null when it is completed or has expired. */
export function createOpenVerificationLoader({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): SendVerificationMailDeps['findOpenVerification'] {
  return createBatchLoader(
    (mails: readonly VerificationMailTask[]) =>
      database.query(OPEN_VERIFICATIONS, [
        mails.map(({ mailId }) => mailId),
        mails.map(({ userId }) => userId),
        clock.now(),
      ]),
    ({ mailId }) => mailId,
    ({ mailId }) => mailId,
  );
}

/**
 * Mails the latest verification link of an account, whichever request asked for it.
 *
 * A registration never fails because of the limit on mails to its address: its mail is omitted, and the user can
 * request another one.
 *
 * @returns `SKIPPED` when no verification is open, or the limit on mails to the address is reached
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when the mail cannot be counted
 */
export async function sendVerificationMail(
  deps: SendVerificationMailDeps,
  task: VerificationMailTask,
): Promise<'DONE' | 'SKIPPED'> {
  const open = await deps.findOpenVerification(task);
  if (open === null) return 'SKIPPED';
  if (open.isUncounted && !(await mayMail(deps.limits, open.emailKey))) return 'SKIPPED';
  const secret = deriveLinkSecret(deps.serverSecret, 'verify-email', { id: task.userId, version: open.version });
  await deps.mailer.send(
    buildVerifyEmailMail({
      id: task.mailId,
      to: open.email,
      username: open.username,
      link: `${deps.frontendUrl}/verify-email#secret=${secret}`,
      validForHours: VERIFICATION_LINK_TTL_HOURS,
    }),
  );
  return 'DONE';
}

/** Counts a mail to the address and returns whether it may be sent. */
async function mayMail(limits: RateLimiter, emailKey: string): Promise<boolean> {
  try {
    await limits.take('verificationMail', emailKey);
    return true;
  } catch (error) {
    if (error instanceof RateLimitedError) return false;
    throw error;
  }
}
