import { Migration } from '@mikro-orm/migrations';

/** Accounts, their sessions and keys, and what registration owes them. */
export class M001Accounts extends Migration {
  override readonly name = '001-accounts';

  up(): void {
    this.addSql(`
      create table account (
        id uuid primary key,
        username text not null,
        username_key text not null constraint account_username_key_unique unique,
        email text,
        email_key text,
        email_verified_at timestamptz(3),
        display_name text,
        password_hash text not null,
        roles text[] not null default '{USER}',
        disabled_at timestamptz(3),
        created_at timestamptz(3) not null,
        last_login_at timestamptz(3),
        check ((email is null) = (email_key is null)),
        check (email is not null or email_verified_at is null)
      );
      -- An unverified address belongs to nobody, so only a verified one is unique.
      create unique index account_verified_email_unique on account (email_key) where email_verified_at is not null;

      -- The latest address an account was asked to prove; the secret that was mailed is derived from id and issue.
      create table email_verification (
        user_id uuid primary key references account on delete cascade,
        email text not null,
        email_key text not null,
        issue integer not null,
        expires_at timestamptz(3) not null,
        used_at timestamptz(3)
      );

      create table session (
        id uuid primary key,
        user_id uuid not null references account on delete cascade,
        created_at timestamptz(3) not null
      );
      create index session_user on session (user_id);

      create table signing_key (
        kid text primary key,
        public_jwk jsonb not null,
        private_key_sealed bytea not null,
        created_at timestamptz(3) not null,
        retired_at timestamptz(3)
      );

      create table api_key (
        id uuid primary key,
        name text not null,
        prefix text not null,
        secret_hash bytea not null constraint api_key_secret_hash_unique unique,
        scopes text[] not null,
        group_ids uuid[],
        created_at timestamptz(3) not null,
        expires_at timestamptz(3)
      );

      create table follow_up (
        id uuid primary key,
        user_id uuid not null references account on delete cascade,
        name text not null,
        status text not null check (status in ('QUEUED', 'RUNNING', 'DONE', 'SKIPPED', 'FAILED')),
        attempts integer not null default 0,
        last_error text,
        created_at timestamptz(3) not null,
        due_at timestamptz(3),
        finished_at timestamptz(3),
        constraint follow_up_once unique (user_id, name),
        -- due_at: when it may run next; while RUNNING, when it counts as abandoned.
        check ((due_at is null) = (status in ('DONE', 'SKIPPED', 'FAILED')))
      );
      create index follow_up_due on follow_up (due_at) where due_at is not null;
      create index follow_up_listed on follow_up (status, created_at desc, id desc);

      -- What others may follow; the id is that of the follow-up that records it, so that it is recorded once.
      create table account_event (
        id uuid primary key,
        kind text not null,
        user_id uuid not null,
        at timestamptz(3) not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table account_event, follow_up, api_key, signing_key, session, email_verification, account;');
  }
}
