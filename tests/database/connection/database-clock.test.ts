import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import ormConfig from '../../../mikro-orm.config.js';
import { DAY_MS } from '../../../src/async/durations.js';
import { startDatabaseClock } from '../../../src/database/connection/database-clock.js';
import { openDatabase, type Database } from '../../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const ROUND_TRIP_MS = 1_000;
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase({ url: testDatabase.url, poolSize: 1, orm: ormConfig, warn: () => undefined });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function databaseMs(): Promise<number> {
  const { rows } = await database.pool.query<{ ms: string }>(
    'select extract(epoch from clock_timestamp()) * 1000 as ms',
  );
  return Number(rows[0]?.ms);
}

describe('startDatabaseClock', () => {
  it('returns the time of the database', async () => {
    const clock = await startDatabaseClock(database);

    const before = await databaseMs();
    const now = clock.now().getTime();
    const after = await databaseMs();

    expect(now).toBeGreaterThan(before - ROUND_TRIP_MS);
    expect(now).toBeLessThan(after + ROUND_TRIP_MS);
    clock.stop();
  });

  it.each([DAY_MS, -DAY_MS])('ignores the clock of the machine when it is off by %d ms', async (jumpMs) => {
    const realNow = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + jumpMs);
    const clock = await startDatabaseClock(database);

    expect(Math.abs(clock.now().getTime() - (await databaseMs()))).toBeLessThan(ROUND_TRIP_MS);

    clock.stop();
  });

  it('returns the time while the database is unreachable', async () => {
    jest.useFakeTimers({
      doNotFake: [
        'performance',
        'Date',
        'nextTick',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setTimeout',
        'clearTimeout',
      ],
    });
    const other = await openDatabase({ url: testDatabase.url, poolSize: 1, orm: ormConfig, warn: () => undefined });
    const clock = await startDatabaseClock(other);
    await other.close();

    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();

    expect(Math.abs(clock.now().getTime() - (await databaseMs()))).toBeLessThan(ROUND_TRIP_MS);
    clock.stop();
  });
});
