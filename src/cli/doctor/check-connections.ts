import type pg from 'pg';
import {
  connectionShortage,
  describeConnections,
  GRANTED_CONNECTIONS_SQL,
  type ConnectionSettings,
  type GrantedConnections,
} from '../../database/connection/granted-connections.js';
import type { CheckResult } from './check-result.js';

/** Compares the connections of all processes of the service with those that the server grants this role. */
export async function checkConnections(client: pg.Client, settings: ConnectionSettings): Promise<CheckResult> {
  const subject = 'Connections';
  const { rows } = await client.query<GrantedConnections>(GRANTED_CONNECTIONS_SQL);
  const granted = rows[0]?.granted ?? 0;
  const text = `up to ${describeConnections(settings)}, of ${granted} that the server grants`;
  const remedy = connectionShortage(settings, granted);
  return remedy === null ? { subject, state: 'ok', text } : { subject, state: 'error', text: `${text}: ${remedy}` };
}
