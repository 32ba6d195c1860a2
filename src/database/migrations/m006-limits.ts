import { Migration } from '@mikro-orm/migrations';

/** What limits count by, where people have logged in from, and the password resets that were asked for. */
export class M006Limits extends Migration {
  override readonly name = '006-limits';

  up(): void {
    this.addSql(`
      -- In the form that rate-limiter-flexible reads and writes. What it holds may be lost in a
      -- crash, so it costs no log.
      create unlogged table rate_limit (
        -- The limit's name, and an HMAC of what is counted: no name or address can be read from it.
        key text primary key,
        points integer not null default 0,
        -- Milliseconds since 1970; null for never.
        expire bigint
      );
      create index rate_limit_expire on rate_limit (expire);

      create table known_address (
        user_id uuid not null references account on delete cascade,
        -- An HMAC: whether a network is known can be asked, but not which ones are.
        network_mac bytea not null,
        last_login_at timestamptz(3) not null,
        primary key (user_id, network_mac)
      );
      create index known_address_age on known_address (last_login_at);

      -- One row for each link; the secret that is mailed is derived from its id. Using one removes all of its account.
      create table password_reset (
        id uuid primary key,
        email_key text not null,
        -- Null until the mail is sent: whoever asks waits for no look at the accounts.
        user_id uuid references account on delete cascade,
        expires_at timestamptz(3) not null
      );
      create index password_reset_of_user on password_reset (user_id) where user_id is not null;
      create index password_reset_age on password_reset (expires_at);
    `);
  }

  override down(): void {
    this.addSql('drop table password_reset, known_address, rate_limit;');
  }
}
