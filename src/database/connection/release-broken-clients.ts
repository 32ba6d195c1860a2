import type pg from 'pg';

/** Whoever does give its client back has done so by then. */
const PATIENCE_MS = 100;

/**
 * Gives clients whose connection has ended back to their pool, when whoever holds them does not.
 *
 * The transactions of MikroORM 7.2 (Kysely 0.29) keep their client for ever when BEGIN, COMMIT or ROLLBACK fails, as each
 * does on a connection that has ended: a few restarts of the database would use up the pool.
 */
export function releaseBrokenClients(pool: pg.Pool): void {
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () =>
      setTimeout(() => {
        if (held.has(client)) client.release(true);
      }, PATIENCE_MS),
    );
  });
}
