import { Migration } from '@mikro-orm/migrations';

/** What deleting an account in steps needs: the mark of a deleted account, and an index for every cascade. */
export class M013AccountErasure extends Migration {
  override readonly name = '013-account-erasure';

  up(): void {
    this.addSql(`
      -- When it was deleted. The row remains, without personal data, until nothing refers to it any more.
      alter table account add column deleted_at timestamptz(3),
        add constraint account_deleted_is_empty check (
          deleted_at is null
          or (disabled_at is not null and email is null and display_name is null and last_login_at is null
            and not 'ADMIN' = any(roles))
        );

      -- For the cascade from its group; the other indexes hold invitations of some statuses only.
      create index invitation_of_group on invitation (group_id);
    `);
  }

  override down(): void {
    this.addSql(`
      drop index invitation_of_group;
      alter table account drop constraint account_deleted_is_empty, drop column deleted_at;
    `);
  }
}
