import { Migration } from '@mikro-orm/migrations';

/** Places offered to email addresses, and the mails that were sent for them. */
export class M004Invitations extends Migration {
  override readonly name = '004-invitations';

  up(): void {
    this.addSql(`
      create table invitation (
        id uuid primary key,
        group_id uuid not null references groups on delete cascade,
        email text not null,
        email_key text not null,
        invited_by_id uuid references account on delete set null,
        -- The number of the link in force; the secret that was mailed is derived from id and issue.
        issue integer not null,
        status text not null check (status in ('OPEN', 'LAPSED', 'CLAIMED', 'DECLINED', 'REVOKED')),
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null
      );
      -- A person who was asked and has not answered is one person, however often they are asked.
      create unique index invitation_once_per_address on invitation (group_id, email_key)
        where status in ('OPEN', 'LAPSED');
      create index invitation_listed on invitation (group_id, created_at, id) where status in ('OPEN', 'LAPSED');
      create index invitation_of_address on invitation (email_key, created_at, id) where status = 'OPEN';
      create index invitation_to_expire on invitation (expires_at) where status = 'OPEN';
      create index invitation_inviter on invitation (invited_by_id) where invited_by_id is not null;

      -- Kept for a day, for the limits on invitation mails.
      create table invitation_mail (
        task_id uuid primary key,
        inviter_id uuid references account on delete set null,
        email_key text not null,
        at timestamptz(3) not null
      );
      create index invitation_mail_of_inviter on invitation_mail (inviter_id, at);
      create index invitation_mail_to_address on invitation_mail (email_key, at);
      create index invitation_mail_age on invitation_mail (at);
    `);
  }

  override down(): void {
    this.addSql('drop table invitation_mail, invitation;');
  }
}
