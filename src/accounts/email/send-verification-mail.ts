import { statement, type Database } from '../../database/index.js';
import { RateLimitedError } from '../../errors/index.js';
import { VERIFICATION_LINK_TTL_HOURS } from '../mailed-links/email-verification.js';
import type { Clock } from '../ports/clock.js';
import type { Mailer } from '../ports/mailer.js';
import type { RateLimiter } from '../rate-limiting/rate-limiter.js';
import { deriveLinkSecret } from '../secrets/link-secret.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { buildVerifyEmailMail } from './verify-email-mail.js';

export interface SendVerificationMailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: RateLimiter;
  readonly mailer: Mailer;
  readonly serverSecret: ServerSecret;
  readonly frontendUrl: string;
}

interface VerificationRow {
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

const OPEN_VERIFICATION = statement<VerificationRow>(
  'open_verification',
  `
  select a.username, v.email, v.email_key as "emailKey", v.issue as version,
    exists (select from outbox_task where id = $3 and registered_user_id is not null and attempts <= 1) as "isUncounted"
  from email_verification v join account a on a.id = v.user_id
  where v.user_id = $1 and v.used_at is null and v.expires_at > $2`,
);

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
  task: { readonly userId: string; readonly mailId: string },
): Promise<'DONE' | 'SKIPPED'> {
  const [open] = await deps.database.query(OPEN_VERIFICATION, [task.userId, deps.clock.now(), task.mailId]);
  if (open === undefined) return 'SKIPPED';
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
