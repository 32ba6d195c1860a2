import { Migration } from '@mikro-orm/migrations';

/** Sessions that last, and what has been revoked. */
export class M005Sessions extends Migration {
  override readonly name = '005-sessions';

  up(): void {
    this.addSql(`
      alter table session
        -- The refresh token that counts; tokens are derived from id and generation, and stored nowhere.
        add column generation integer not null default 1,
        -- When that generation was made: its predecessor is forgiven for a moment after.
        add column rotated_at timestamptz(3),
        add column expires_at timestamptz(3),
        add column user_agent text,
        add column address text;
      -- Sessions from before refresh tokens end with their access tokens.
      update session set rotated_at = created_at, expires_at = created_at + interval '1 day';
      alter table session alter column rotated_at set not null, alter column expires_at set not null;
      create index session_expired on session (expires_at);

      -- Sessions that ended before their access tokens did. It outlives account and session, so it refers to neither.
      create table session_revocation (
        session_id uuid primary key,
        revoked_at timestamptz(3) not null,
        -- Lets readers ask for what was committed since they last looked, however the commits overlap.
        transaction_id xid8 not null default pg_current_xact_id()
      );
      create index session_revocation_news on session_revocation (transaction_id);
      create index session_revocation_age on session_revocation (revoked_at);
    `);
  }

  override down(): void {
    this.addSql(`
      drop table session_revocation;
      alter table session drop column generation, drop column rotated_at, drop column expires_at,
        drop column user_agent, drop column address;
    `);
  }
}
