import { Migration } from '@mikro-orm/migrations';

/** Indexes that find a group's owners, and all that is held about an account, without reading whole tables. */
export class M008AccountLife extends Migration {
  override readonly name = '008-account-life';

  up(): void {
    this.addSql(`
      create index member_owner on member (group_id) where role = 'OWNER';
      create index member_inviter on member (invited_by_id) where invited_by_id is not null;
      create index invitation_to_address on invitation (email_key);
      create index account_event_of_user on account_event (user_id);
      -- What registration owes is found by its own column.
      create index outbox_task_about_user on outbox_task ((payload ->> 'userId'))
        where registered_user_id is null and payload ->> 'userId' is not null;
    `);
  }

  override down(): void {
    this.addSql(
      'drop index member_owner, member_inviter, invitation_to_address, account_event_of_user, outbox_task_about_user;',
    );
  }
}
