-- 10,000 accounts with one session each, 2,000 groups of 20 members, one score for each group.
-- $HASH is replaced by the argon2id hash of the password.
set session_replication_role = replica;

insert into account (id, username, username_key, email, email_key, email_verified_at, display_name, password_hash,
    created_at)
  select uuid_of('8000', n), 'user' || n, 'user' || n, mail_of(n), mail_of(n), '2026-01-01', 'User Number ' || n,
    '$HASH', '2026-01-01'
  from generate_series(1, 10000) n;

insert into session (id, user_id, created_at, rotated_at, expires_at)
  select uuid_of('a000', n), uuid_of('8000', n), now(), now(), now() + interval '20 days'
  from generate_series(1, 10000) n;

create temporary table seat as
  select g as group_number, seat, 1 + ((g - 1) * 20 + seat * 7) % 10000 as user_number,
    (array['ACCEPTED', 'PENDING', 'DECLINED'])[1 + seat % 3] as status
  from generate_series(1, 2000) g, generate_series(0, 19) seat;

insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision, pending_count,
    accepted_count, declined_count)
  select uuid_of('9000', group_number), 'Group ' || group_number, 'FORMING', now(), now(), 20, 20,
    count(*) filter (where status = 'PENDING'), count(*) filter (where status = 'ACCEPTED'),
    count(*) filter (where status = 'DECLINED')
  from seat group by group_number;

insert into member (group_id, user_id, role, status, invited_at, responded_at, revision)
  select uuid_of('9000', group_number), uuid_of('8000', user_number), case seat when 0 then 'OWNER' else 'MEMBER' end,
    status, timestamptz '2026-01-01' + seat * interval '1 s', case when status <> 'PENDING' then now() end, 1
  from seat;

insert into compatibility_score (group_id, sequence, value, source, scored_at, answers_revision)
  select uuid_of('9000', g), 1, (g * 37 % 1000) / 10.0, 'bench', now(), 20 from generate_series(1, 2000) g;
