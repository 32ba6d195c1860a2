import type { Database } from './database.js';
import { statement } from './statement.js';

/** The database's time. */
export interface DatabaseClock {
  now(): Date;
  stop(): void;
}

const COMPARE_EVERY_MS = 15_000;

const NOW = statement<{ ms: number }>(
  'database_now',
  'select extract(epoch from clock_timestamp())::double precision * 1000 as ms',
);

/**
 * A clock that all processes on one database share: leases and deadlines mean the same to each, and it makes no difference
 * when somebody sets a machine's clock.
 *
 * Between comparisons it goes by this machine's monotonic clock; it also does while the database is away.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when the first comparison fails
 */
export async function startDatabaseClock(database: Database): Promise<DatabaseClock> {
  let aheadMs = await measureAhead(database);

  async function compare(): Promise<void> {
    try {
      aheadMs = await measureAhead(database);
    } catch {
      // The database is away: the monotonic clock goes on.
    }
  }

  const timer = setInterval(() => void compare(), COMPARE_EVERY_MS).unref();
  return {
    now: () => new Date(performance.now() + aheadMs),
    stop: () => {
      clearInterval(timer);
    },
  };
}

/** By how much the database's time is ahead of the monotonic clock; its answer is taken to be as old as half the round trip. */
async function measureAhead(database: Database): Promise<number> {
  const askedAtMs = performance.now();
  const [row] = await database.query(NOW, []);
  if (row === undefined) throw new Error('The database does not know the time.');
  return row.ms - (askedAtMs + performance.now()) / 2;
}
