import type pg from 'pg';
import type { DatabaseTarget } from '../address/database-target.js';

const ROLE = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as readonly`;

/** @throws ReadOnlyServerError when the server is not of the kind that `target_session_attrs` asks for */
export async function requireSessionAttributes(
  client: pg.Client,
  wanted: DatabaseTarget['sessionAttributes'],
): Promise<void> {
  if (wanted === 'any') return;
  const { rows } = await client.query<{ standby: boolean; readonly: boolean }>(ROLE);
  const isAccepted = wanted === 'primary' ? rows[0]?.standby === false : rows[0]?.readonly === false;
  if (!isAccepted)
    throw new ReadOnlyServerError(wanted === 'primary' ? 'The server is a standby' : 'The server is read-only');
}

/** A server that accepts no writes, as a standby. */
class ReadOnlyServerError extends Error {
  /** SQLSTATE read_only_sql_transaction. */
  readonly code = '25006';
}
