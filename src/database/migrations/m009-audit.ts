import { Migration } from '@mikro-orm/migrations';

/** Who did what to whom, and when API keys were last used. */
export class M009Audit extends Migration {
  override readonly name = '009-audit';

  up(): void {
    this.addSql(`
      create table audit_event (
        id uuid primary key,
        at timestamptz(3) not null,
        action text not null,
        -- Null for the command line and the clock, and once the account is gone.
        actor_id uuid references account on delete set null,
        -- Null when it concerns no account, and once that is gone.
        subject_id uuid references account on delete set null,
        -- Ids and words only: no secrets, addresses or names of people.
        detail jsonb
      );
      create index audit_event_order on audit_event (at desc, id desc);
      create index audit_event_actor on audit_event (actor_id, at desc, id desc) where actor_id is not null;
      create index audit_event_subject on audit_event (subject_id, at desc, id desc) where subject_id is not null;

      alter table api_key add column last_used_at timestamptz(3);

      -- For the administrators' list of accounts and its search by the beginning of a name or an address.
      create index account_order on account (created_at desc, id desc);
      create index account_username_prefix on account (username_key text_pattern_ops);
      create index account_email_prefix on account (email_key text_pattern_ops) where email_key is not null;
    `);
  }

  override down(): void {
    this.addSql(`
      drop index account_order, account_username_prefix, account_email_prefix;
      alter table api_key drop column last_used_at;
      drop table audit_event;
    `);
  }
}
