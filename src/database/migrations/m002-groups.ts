import { Migration } from '@mikro-orm/migrations';

const COUNTS = `
        pending_count integer not null default 0 check (pending_count >= 0),
        accepted_count integer not null default 0 check (accepted_count >= 0),
        tentative_count integer not null default 0 check (tentative_count >= 0),
        declined_count integer not null default 0 check (declined_count >= 0),
        open_invitations integer not null default 0 check (open_invitations >= 0),
        lapsed_invitations integer not null default 0 check (lapsed_invitations >= 0)`;

/** Groups, their members, the history of both, and scores. */
export class M002Groups extends Migration {
  override readonly name = '002-groups';

  up(): void {
    this.addSql(`
      create table groups (
        id uuid primary key,
        name text not null,
        description text,
        quorum integer check (quorum between 1 and 1000000),
        respond_by timestamptz(3),
        -- What "everyone" meant when the deadline passed; null until that is recorded.
        required_at_deadline integer,
        cancelled_at timestamptz(3),
        state text not null check (state in ('FORMING', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED')),
        state_changed_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        revision integer not null,
        -- The revision at which members or their answers last changed: what makes a score stale.
        answers_revision integer not null,${COUNTS}
      );

      create table member (
        group_id uuid not null references groups on delete cascade,
        user_id uuid not null references account,
        role text not null check (role in ('OWNER', 'MEMBER')),
        status text not null check (status in ('PENDING', 'ACCEPTED', 'TENTATIVE', 'DECLINED')),
        invited_by_id uuid references account on delete set null,
        invited_at timestamptz(3) not null,
        responded_at timestamptz(3),
        revision integer not null,
        primary key (group_id, user_id)
      );
      create index member_listed on member (group_id, invited_at, user_id);
      create index member_listed_by_status on member (group_id, status, invited_at, user_id);
      create index member_of_user on member (user_id, invited_at desc, group_id desc);

      create table group_change (
        group_id uuid not null references groups on delete cascade,
        revision integer not null,
        cause text not null,
        actor_id uuid references account on delete set null,
        api_key text,
        subject_id uuid references account on delete set null,
        status text,
        state_before text,
        state_after text not null,
        at timestamptz(3) not null,${COUNTS},
        primary key (group_id, revision)
      );
      create index group_change_actor on group_change (actor_id) where actor_id is not null;
      create index group_change_subject on group_change (subject_id) where subject_id is not null;
      create index group_change_of_state on group_change (group_id, revision)
        where state_before is distinct from state_after;

      create table compatibility_score (
        group_id uuid not null references groups on delete cascade,
        sequence integer not null,
        value double precision not null check (value between 0 and 100),
        source text not null,
        scored_at timestamptz(3) not null,
        answers_revision integer not null,
        primary key (group_id, sequence)
      );
    `);
  }

  override down(): void {
    this.addSql('drop table compatibility_score, group_change, member, groups;');
  }
}
