import { Migration } from '@mikro-orm/migrations';

/** Recipients of security notices, numbers of verification links that never come again, and indexes of outdated rows. */
export class M010NoticesAndRetention extends Migration {
  override readonly name = '010-notices-and-retention';

  up(): void {
    this.addSql(`
      -- The address that was the account's own when what the notice tells of happened; it is gone once the task is
      -- over.
      create table notice_recipient (
        task_id uuid primary key references outbox_task on delete cascade,
        user_id uuid not null references account on delete cascade,
        email text not null
      );
      create index notice_recipient_of_user on notice_recipient (user_id);

      -- Numbers that were given out before a row was erased would make the links mailed with them good again.
      create sequence email_verification_issue as integer;
      select setval('email_verification_issue', coalesce(max(issue), 0) + 1, false) from email_verification;

      create index outbox_task_done on outbox_task (finished_at)
        where registered_user_id is null and status in ('DONE', 'SKIPPED');
      create index outbox_task_failed on outbox_task (finished_at)
        where registered_user_id is null and status = 'FAILED';
      create index email_verification_age on email_verification (expires_at);
      create index invitation_closed on invitation (expires_at) where status in ('CLAIMED', 'DECLINED', 'REVOKED');
    `);
  }

  override down(): void {
    this.addSql(`
      drop index outbox_task_done, outbox_task_failed, email_verification_age, invitation_closed;
      drop sequence email_verification_issue;
      drop table notice_recipient;
    `);
  }
}
