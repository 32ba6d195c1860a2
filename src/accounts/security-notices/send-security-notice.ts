import { isOlderThanSql, statement, type Database, type RetentionRule } from '../../database/index.js';
import type { Mailer } from '../ports/mailer.js';
import { NoticeRecipient } from './notice-recipient.entity.js';
import { buildSecurityNoticeMail } from './security-notice-mail.js';
import type { SecurityNotice } from './security-notices.js';

export interface SendSecurityNoticeDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly frontendUrl: string;
}

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
  { database, mailer, frontendUrl }: SendSecurityNoticeDeps,
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

/**
 * Recipients whose task has finished: those of `FAILED` tasks, whose address is not needed any more. The table is small
 * (mails in flight and failed mails), so each task is looked up.
 */
export const NOTICE_RECIPIENT_RETENTION_RULE: RetentionRule = {
  table: 'notice_recipient',
  ageColumn: 'task_id',
  condition: isOlderThanSql('(select finished_at from outbox_task where id = task_id)'),
};
