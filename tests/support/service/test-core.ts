import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { PasswordHasher } from '../../../src/accounts/index.js';
import { loadConfig } from '../../../src/config/index.js';
import { openCore, type Core, type Overrides } from '../../../src/open-core.js';
import { createTestDatabase } from '../database/test-database.js';
import { fakeClock, type FakeClock } from '../fake-clock.js';

export interface TestCore extends Core {
  readonly clock: FakeClock;
  /** Closes it and removes its database. */
  remove(): Promise<void>;
}

export interface CoreOptions extends Omit<Overrides, 'clock'> {
  readonly settings?: Readonly<Record<string, string>>;
}

/** A fast hasher, for tests that log in often and do not test passwords. */
export const FAKE_HASHER: PasswordHasher = {
  hash: (password) => Promise.resolve(`quick:${password}`),
  verify: (hash, password) => Promise.resolve(hash === `quick:${password}`),
  needsRehash: () => false,
};

/** Creates the domain on a new database, without transports and jobs, with a fake clock. */
export async function createTestCore({ settings = {}, ...overrides }: CoreOptions = {}): Promise<TestCore> {
  const [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'convene-test-'))]);
  const clock = fakeClock();
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...settings,
  };
  const core = await openCore(loadConfig(environment, dataDir), {
    log: pino({ level: 'silent' }),
    hasher: FAKE_HASHER,
    ...overrides,
    clock,
  });
  return {
    ...core,
    clock,
    remove: async () => {
      await core.close();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
