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
      create index session_of_user on session (user_id);

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

      -- What is owed and not yet done, written with what owes it. Payloads hold ids only, never secrets.
      create table outbox_task (
        id uuid primary key,
        name text not null,
        payload jsonb not null,
        -- The account whose registration owes it; null for any other task.
        registered_user_id uuid references account on delete cascade,
        status text not null check (status in ('QUEUED', 'RUNNING', 'DONE', 'SKIPPED', 'FAILED')),
        attempts integer not null default 0,
        last_error text,
        created_at timestamptz(3) not null,
        -- When it may run next; while RUNNING, when it counts as abandoned.
        due_at timestamptz(3),
        finished_at timestamptz(3),
        constraint outbox_task_once_per_registration unique (registered_user_id, name),
        check ((due_at is null) = (status in ('DONE', 'SKIPPED', 'FAILED')))
      );
      create index outbox_task_due on outbox_task (due_at) where due_at is not null;
      create index outbox_task_listed on outbox_task (status, created_at desc, id desc)
        where registered_user_id is not null;

      -- What others may follow; the id is that of the task that records it, so that it is recorded once.
      create table account_event (
        id uuid primary key,
        kind text not null,
        user_id uuid not null,
        at timestamptz(3) not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table account_event, outbox_task, api_key, signing_key, session, email_verification, account;');
  }
}
