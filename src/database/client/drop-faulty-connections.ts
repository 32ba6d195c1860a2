import type pg from 'pg';
import { isFaultOfConnection } from '../errors/database-errors.js';

/**
 * Closes a connection that reports a fault of its own, such as that its server has become a standby or does not answer.
 * The idle connections of the pool probably lead to the same server, and are closed too.
 */
export function dropFaultyConnections(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  const drop = (client: pg.PoolClient): void => {
    for (const other of idle) other.connection.stream.destroy();
    // After the holder has received the error.
    setImmediate(() => void client.end());
  };
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('connect', (client) => {
    const dropAtFault = (error: unknown): void => {
      if (isFaultOfConnection(error)) drop(client);
    };
    client.connection.on('errorMessage', dropAtFault);
    client.on('error', dropAtFault);
  });
}
