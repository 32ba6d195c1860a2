import { OperatorError } from '../../errors/index.js';
import type { Database } from './database.js';
import {
  connectionShortage,
  describeConnections,
  GRANTED_CONNECTIONS_SQL,
  type ConnectionSettings,
  type GrantedConnections,
} from './granted-connections.js';
import { unnamedStatement } from './statement.js';

const GRANTED = unnamedStatement<GrantedConnections>(GRANTED_CONNECTIONS_SQL);

/**
 * Requires that the server grants all connections of the service.
 *
 * @throws OperatorError naming the settings. Reason: without this check, requests under load would fail.
 */
export async function requireConnections(database: Database, settings: ConnectionSettings): Promise<void> {
  const [{ granted } = { granted: 0 }] = await database.query(GRANTED, []);
  const remedy = connectionShortage(settings, granted);
  if (remedy === null) return;
  throw new OperatorError(
    `The service uses up to ${describeConnections(settings)} database connections, and the server grants ` +
      `${granted}: ${remedy}`,
  );
}
