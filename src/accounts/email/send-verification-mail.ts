import { statement } from '../../database/index.js';
import type { AccountsDeps } from '../deps.js';
import { makeLinkSecret } from '../derived-secret.js';
import { verifyEmailMail } from '../mails/verify-email-mail.js';
import { VERIFICATION_HOURS } from './email-verification.js';

interface VerificationRow {
  readonly username: string;
  readonly email: string;
  readonly issue: number;
}

const OPEN_VERIFICATION = statement<VerificationRow>('open_verification', `
  select a.username, v.email, v.issue from email_verification v join account a on a.id = v.user_id
  where v.user_id = $1 and v.used_at is null and v.expires_at > $2`);

/**
 * Mails the link that proves an address; the latest one, whichever request asked for it.
 *
 * @returns `SKIPPED` when there is no address to prove, or none any more
 */
export async function sendVerificationMail(
  deps: Pick<AccountsDeps, 'database' | 'clock' | 'mailer' | 'serverSecret' | 'frontendUrl'>,
  task: { readonly userId: string; readonly mailId: string },
): Promise<'DONE' | 'SKIPPED'> {
  const [open] = await deps.database.read(OPEN_VERIFICATION, [task.userId, deps.clock.now()]);
  if (open === undefined) return 'SKIPPED';
  const secret = makeLinkSecret(deps.serverSecret, 'verify-email', { id: task.userId, issue: open.issue });
  await deps.mailer.send(verifyEmailMail({
    id: task.mailId,
    to: open.email,
    username: open.username,
    link: `${deps.frontendUrl}/verify-email#secret=${secret}`,
    validForHours: VERIFICATION_HOURS,
  }));
  return 'DONE';
}
