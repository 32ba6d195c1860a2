import pg from 'pg';
import { withTimeout } from '../../async/with-timeout.js';

export interface JobsPool {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
/** On the client's side, since a network that swallows everything never answers. */
const QUERY_TIMEOUT_MS = 15_000;
const CLOSE_LIMIT_MS = 2_000;

/**
 * The connections on which Agenda keeps its jobs; apart from the service's, so that neither waits for the other.
 *
 * Without a listener on the pool and on each client, a database that restarts would end the process.
 */
export function openJobsPool(databaseUrl: string, onError: (error: unknown) => void): JobsPool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'convene jobs',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    max: MOST_CONNECTIONS,
    // Agenda's jobs may be lost, so that no commit of theirs need wait for the disk.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- it is awaited, whatever its type says
    onConnect: (client) => client.query('set synchronous_commit = off'),
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return {
    pool,
    // A statement that hangs must not hang the stop as well.
    close: () => withTimeout(CLOSE_LIMIT_MS, pool.end()).catch(onError),
  };
}
