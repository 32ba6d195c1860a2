import type pg from 'pg';

/** A holder that releases its client after an error has done so by then. */
const RELEASE_DELAY_MS = 100;

/**
 * Releases clients with a broken connection when their holder does not.
 *
 * MikroORM 7.2 (Kysely 0.29) never releases the client of a transaction whose BEGIN, COMMIT or ROLLBACK fails, as each
 * does on a broken connection. A few restarts of the database would exhaust the pool. Remove when fixed.
 */
export function releaseBrokenClients(pool: pg.Pool): void {
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () =>
      setTimeout(() => {
        if (held.has(client)) client.release(true);
      }, RELEASE_DELAY_MS),
    );
  });
}
