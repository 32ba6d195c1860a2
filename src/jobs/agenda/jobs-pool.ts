import pg from 'pg';
import { withTimeout } from '../../async/with-timeout.js';
import type { DatabaseAddress } from '../../database/client/client-options.js';
import { poolConfig } from '../../database/client/pool-config.js';

export interface JobsPool {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const DEFAULT_MAX_CONNECTIONS = 3;
const SILENCE_LIMIT_MS = 4_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Opens the connection pool of Agenda. It is separate from the service's pool, so that neither waits for the other.
 *
 * @param onError called with each error of an idle connection. Without a listener on the pool and on each client, a
 *   restart of the database would end the process.
 */
export function openJobsPool(
  address: DatabaseAddress,
  onError: (error: unknown) => void,
  maxConnections = DEFAULT_MAX_CONNECTIONS,
): JobsPool {
  const pool = new pg.Pool({
    ...poolConfig({
      ...address,
      purpose: 'jobs',
      // A commit need not wait for the disk, because the outbox relay replaces lost jobs.
      settings: { synchronous_commit: 'off' },
      silenceLimitMs: SILENCE_LIMIT_MS,
    }),
    max: maxConnections,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return {
    pool,
    // A statement that hangs must not delay the stop.
    close: () => withTimeout(CLOSE_TIMEOUT_MS, pool.end()).catch(onError),
  };
}
