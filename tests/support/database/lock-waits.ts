import type { Database } from '../../../src/database/index.js';

const WAITING = `
  select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Returns the number of connections to the database that wait for a lock. */
export async function countLockWaits({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const {
    rows: [row],
  } = await pool.query<{ count: number }>(WAITING);
  return row?.count ?? 0;
}

export async function isLockAwaited(database: Pick<Database, 'pool'>): Promise<boolean> {
  return (await countLockWaits(database)) > 0;
}
