import pg from 'pg';
import { withTimeout } from '../../async/with-timeout.js';

export interface JobsPool {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** A timer of the client, because a server behind a silent connection cannot enforce `statement_timeout`. */
const QUERY_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Opens the connection pool of Agenda. It is separate from the service's pool, so that neither waits for the other.
 *
 * @param onError called with each error of an idle connection. Without a listener on the pool and on each client, a
 *   restart of the database would end the process.
 */
export function openJobsPool(databaseUrl: string, onError: (error: unknown) => void): JobsPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'convene jobs',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    max: MAX_CONNECTIONS,
    // A commit need not wait for the disk, because the outbox relay replaces lost jobs.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- pg awaits the promise, against its type
    onConnect: (client) => client.query('set synchronous_commit = off'),
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return {
    pool,
    // A statement that hangs must not delay the stop.
    close: () => withTimeout(CLOSE_TIMEOUT_MS, pool.end()).catch(onError),
  };
}
