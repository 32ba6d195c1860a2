import type pg from 'pg';
import { parseDatabaseUrl } from '../address/parse-database-url.js';
import type { ClientOptions } from './client-options.js';
import { databaseClientClass } from './database-client.js';

/** A request waits for a connection for so long, to be answered within 5 s. A `connect_timeout` of the URL prevails. */
const MAX_WAIT_MS = 2_500;

/**
 * Configuration of a pool whose connections are those of the database URL.
 *
 * @throws OperatorError when the URL is not understood
 */
export function poolConfig(options: ClientOptions): pg.PoolConfig {
  const { hosts, connectTimeoutMs } = parseDatabaseUrl(options.url);
  return {
    Client: databaseClientClass(options),
    connectionTimeoutMillis: connectTimeoutMs === null ? MAX_WAIT_MS : connectTimeoutMs * hosts.length,
  };
}
