-- The same people and groups, in the tables of better-auth. $HASH is its hash of the password.
insert into "user" (id, name, email, "emailVerified", username, "displayUsername", "updatedAt")
  select 'u' || n, 'User Number ' || n, 'user' || n || '@example.test', true, 'user' || n, 'user' || n, now()
  from generate_series(1, 10000) n;
insert into account (id, "accountId", "providerId", "userId", password, "updatedAt")
  select 'a' || n, 'u' || n, 'credential', 'u' || n, '$HASH', now() from generate_series(1, 10000) n;
insert into session (id, token, "userId", "expiresAt", "updatedAt")
  select 's' || n, 'tok' || n, 'u' || n, now() + interval '7 days', now() from generate_series(1, 10000) n;
insert into organization (id, name, slug, "createdAt")
  select 'g' || g, 'Group ' || g, 'group-' || g, now() from generate_series(1, 2000) g;
insert into member (id, "organizationId", "userId", role, "createdAt")
  select 'm' || ((g - 1) * 20 + seat + 1), 'g' || g, 'u' || (1 + ((g - 1) * 20 + seat * 7) % 10000),
    case when seat = 0 then 'owner' when seat % 3 = 0 then 'admin' else 'member' end, now()
  from generate_series(1, 2000) g, generate_series(0, 19) seat;
