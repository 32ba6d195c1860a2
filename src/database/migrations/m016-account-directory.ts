import { Migration } from '@mikro-orm/migrations';

/** Tells when lists of members change without their groups. */
export class M016AccountDirectory extends Migration {
  override readonly name = '016-account-directory';

  up(): void {
    this.addSql(`
      -- One row. Its version increases when a name of an account changes, and when a member loses its inviter.
      create table account_directory (
        id integer primary key default 1 constraint account_directory_id_check check (id = 1),
        version integer not null default 1
      );
      insert into account_directory default values;

      create function renew_account_directory() returns trigger language plpgsql as $$
        begin
          update account_directory set version = version + 1;
          return null;
        end
      $$;

      create trigger account_renamed after update of username, display_name, created_at on account
        for each statement execute function renew_account_directory();
      create trigger member_inviter_cleared after update of invited_by_id on member
        for each statement execute function renew_account_directory();
    `);
  }

  override down(): void {
    this.addSql(`
      drop trigger member_inviter_cleared on member;
      drop trigger account_renamed on account;
      drop function renew_account_directory;
      drop table account_directory;
    `);
  }
}
