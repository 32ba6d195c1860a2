import type pg from 'pg';
import type { CheckResult } from './check-result.js';

const LIMITS = `
  select least(
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
  ) as available`;

/** Compares DATABASE_POOL with the connections that the server grants this role. */
export async function checkConnections(client: pg.Client, wanted: number): Promise<CheckResult> {
  const subject = 'Connections';
  const { rows } = await client.query<{ available: number }>(LIMITS);
  const available = rows[0]?.available ?? 0;
  const text = `${wanted} for each process (DATABASE_POOL), of ${available} that the server grants`;
  if (wanted <= available) return { subject, state: 'ok', text };
  return { subject, state: 'error', text: `${text}: lower DATABASE_POOL, or raise max_connections.` };
}
