import { randomBytes } from 'node:crypto';
import ormConfig from '../../../mikro-orm.config.js';
import { ServerSecret } from '../../../src/accounts/index.js';
import { RateLimitCounters } from '../../../src/accounts/rate-limiting/rate-limit-counters.js';
import { openDatabase, type Database } from '../../../src/database/index.js';
import { createTestDatabase } from '../../support/database/test-database.js';

export interface RateLimitingFixture {
  readonly database: Database;
  readonly serverSecret: ServerSecret;
  /** Counters of another process with the same database and secret. */
  counters(): RateLimitCounters;
  /** Simulates that time has passed: all windows end that much sooner. */
  pass(seconds: number): Promise<void>;
  remove(): Promise<void>;
}

export async function createRateLimitingFixture(): Promise<RateLimitingFixture> {
  const testDatabase = await createTestDatabase();
  const database = await openDatabase({ url: testDatabase.url, poolSize: 10, orm: ormConfig, warn: console.warn });
  const serverSecret = new ServerSecret([randomBytes(32)]);
  return {
    database,
    serverSecret,
    counters: () => new RateLimitCounters({ database, serverSecret }),
    pass: async (seconds) => {
      await letPass(database, seconds);
    },
    remove: async () => {
      await database.close();
      await testDatabase.drop();
    },
  };
}

async function letPass(database: Database, seconds: number): Promise<void> {
  await database.pool.query('update rate_limit set expire = expire - $1::bigint', [seconds * 1_000]);
}
