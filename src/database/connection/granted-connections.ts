/**
 * SQL for the number of connections that the server grants this role, as `granted`. A superuser may use the reserved
 * connections, and the limits of roles and databases do not apply to it.
 */
export const GRANTED_CONNECTIONS_SQL = `
  select case when rolsuper then current_setting('max_connections')::integer else least(
    current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer -
      coalesce(current_setting('reserved_connections', true)::integer, 0),
    nullif(rolconnlimit, -1),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
  ) end as granted
  from pg_roles where rolname = current_user`;

export interface GrantedConnections {
  readonly granted: number;
}

/** The settings that determine how many connections a service uses. */
export interface ConnectionSettings {
  readonly WEB_CONCURRENCY: number;
  readonly DATABASE_POOL: number;
}

/** Describes the connections of a service by its settings, as in `2 × 16 (WEB_CONCURRENCY × DATABASE_POOL)`. */
export function describeConnections({
  WEB_CONCURRENCY: processes,
  DATABASE_POOL: perProcess,
}: ConnectionSettings): string {
  if (processes === 1) return `${perProcess} (DATABASE_POOL)`;
  return `${processes} × ${perProcess} (WEB_CONCURRENCY × DATABASE_POOL)`;
}

/** @returns the remedy when the server grants too few connections, or else null */
export function connectionShortage(
  { WEB_CONCURRENCY, DATABASE_POOL }: ConnectionSettings,
  granted: number,
): string | null {
  if (WEB_CONCURRENCY * DATABASE_POOL <= granted) return null;
  const lowered = WEB_CONCURRENCY === 1 ? 'DATABASE_POOL' : 'one of them';
  return `lower ${lowered}, or raise max_connections.`;
}
