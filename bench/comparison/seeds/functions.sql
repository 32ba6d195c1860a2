create or replace function uuid_of(kind text, n integer) returns uuid language sql immutable
  return ('00000000-0000-7000-' || kind || '-' || lpad(to_hex(n), 12, '0'))::uuid;
create or replace function mail_of(n integer) returns text language sql immutable
  return 'user' || n || '@example.test';
