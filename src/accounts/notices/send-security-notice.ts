import { statement } from '../../database/index.js';
import type { AccountsDeps } from '../deps.js';
import { buildSecurityNoticeMail } from '../mail-templates/security-notice-mail.js';
import { NoticeRecipient } from './notice-recipient.entity.js';
import type { SecurityNotice } from './security-notices.js';

interface OwedNotice {
  readonly username: string;
  readonly email: string;
  readonly at: Date;
}

const OWED_NOTICE = statement<OwedNotice>(
  'owed_notice',
  `
  select username, recipient.email, task.created_at as at
  from notice_recipient recipient join outbox_task task on task.id = task_id join account on account.id = user_id
  where task_id = $1`,
);

/**
 * Mails a security notice, and erases whom it went to.
 *
 * @param mailId the task that owes it
 * @returns `SKIPPED` when it was sent before, or the account was deleted meanwhile
 */
export async function sendSecurityNotice(
  { database, mailer, frontendUrl }: Pick<AccountsDeps, 'database' | 'mailer' | 'frontendUrl'>,
  notice: SecurityNotice,
  mailId: string,
): Promise<'DONE' | 'SKIPPED'> {
  const [owed] = await database.query(OWED_NOTICE, [mailId]);
  if (owed === undefined) return 'SKIPPED';
  await mailer.send(
    buildSecurityNoticeMail({ id: mailId, to: owed.email, username: owed.username, notice, at: owed.at, frontendUrl }),
  );
  await database.fork().nativeDelete(NoticeRecipient, { taskId: mailId });
  return 'DONE';
}
