import { Migration } from '@mikro-orm/migrations';

/** What was made under an Idempotency-Key, so that a request that comes again makes nothing twice. */
export class M007Idempotency extends Migration {
  override readonly name = '007-idempotency';

  up(): void {
    this.addSql(`
      create table idempotent_request (
        -- An HMAC over who asks, for what, and the key: the key itself is not kept.
        key_mac bytea primary key,
        -- An HMAC over what was asked for.
        request_mac bytea not null,
        -- Ids of what was made; never an answer or a secret.
        made jsonb not null,
        -- Whose account it belongs to, and is erased with; null for a program's.
        account_id uuid references account on delete cascade,
        at timestamptz(3) not null
      );
      create index idempotent_request_age on idempotent_request (at);
      create index idempotent_request_account on idempotent_request (account_id) where account_id is not null;
    `);
  }

  override down(): void {
    this.addSql('drop table idempotent_request;');
  }
}
