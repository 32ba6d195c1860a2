import type { Database } from './database.js';
import { statement } from './statement.js';

/** The database's time. */
export interface DatabaseClock {
  now(): Date;
  stop(): void;
}

const COMPARE_INTERVAL_MS = 15_000;

const NOW = statement<{ ms: number }>(
  'database_now',
  'select extract(epoch from clock_timestamp())::double precision * 1000 as ms',
);

/**
 * Clock that all processes on one database share, so that leases and deadlines do not depend on the clock of a machine.
 *
 * It reads the database's time every 15 s and adds this process's monotonic clock, also while the database is
 * unavailable.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when the first comparison fails
 */
export async function startDatabaseClock(database: Database): Promise<DatabaseClock> {
  let aheadMs = await measureAhead(database);

  async function compare(): Promise<void> {
    try {
      aheadMs = await measureAhead(database);
    } catch {
      // The database is unavailable: the last offset stays in use.
    }
  }

  const timer = setInterval(() => void compare(), COMPARE_INTERVAL_MS).unref();
  return {
    now: () => new Date(performance.now() + aheadMs),
    stop: () => {
      clearInterval(timer);
    },
  };
}

/**
 * Milliseconds from the monotonic clock to the database's time, which is assumed to be read after half the round trip.
 */
async function measureAhead(database: Database): Promise<number> {
  const askedAtMs = performance.now();
  const [row] = await database.query(NOW, []);
  if (row === undefined) throw new Error('Statement database_now returned no row');
  return row.ms - (askedAtMs + performance.now()) / 2;
}
