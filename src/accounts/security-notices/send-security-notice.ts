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

interface PendingNotice {
  readonly username: string;
  readonly email: string;
  readonly at: Date;
}

const PENDING_NOTICE = statement<PendingNotice>(
  'pending_notice',
  `
  select username, recipient.email, task.created_at as at
  from notice_recipient recipient join outbox_task task on task.id = task_id join account on account.id = user_id
  where task_id = $1`,
);

/**
 * Mails a security notice and deletes its recipient.
 *
 * @param mailId id of the outbox task
 * @returns `SKIPPED` when the mail was sent before, or the account was deleted since
 */
export async function sendSecurityNotice(
  { database, mailer, frontendUrl }: SendSecurityNoticeDeps,
  notice: SecurityNotice,
  mailId: string,
): Promise<'DONE' | 'SKIPPED'> {
  const [pending] = await database.query(PENDING_NOTICE, [mailId]);
  if (pending === undefined) return 'SKIPPED';
  await mailer.send(
    buildSecurityNoticeMail({
      id: mailId,
      to: pending.email,
      username: pending.username,
      notice,
      at: pending.at,
      frontendUrl,
    }),
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
