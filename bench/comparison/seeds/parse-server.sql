-- The same people and groups, in the tables of parse-server. $HASH is its hash of the password.
insert into "_User" ("objectId", "createdAt", "updatedAt", username, email, _hashed_password)
  select 'u' || n, now(), now(), 'user' || n, 'user' || n || '@example.test', '$HASH' from generate_series(1, 10000) n;
insert into "_Session" ("objectId", "createdAt", "updatedAt", "user", "sessionToken", "expiresAt", "createdWith")
  select 's' || n, now(), now(), 'u' || n, 'r:tok' || n, now() + interval '300 days',
    '{"action":"login","authProvider":"password"}'
  from generate_series(1, 10000) n;
insert into "Group" ("objectId", "createdAt", "updatedAt", name, state, score, "acceptedCount")
  select 'g' || g, now(), now(), 'Group ' || g, 'forming', (g * 37 % 1000) / 10.0, 7 from generate_series(1, 2000) g;
insert into "Member" ("objectId", "createdAt", "updatedAt", "group", "user", status)
  select 'm' || ((g - 1) * 20 + seat + 1), now(), now(), 'g' || g, 'u' || (1 + ((g - 1) * 20 + seat * 7) % 10000),
    (array['accepted', 'pending', 'declined'])[1 + seat % 3]
  from generate_series(1, 2000) g, generate_series(0, 19) seat;
-- parse-server creates neither on PostgreSQL; without them every request scans a table.
create index if not exists bench_session_token on "_Session" ("sessionToken");
create index if not exists bench_member_group on "Member" ("group", status);
