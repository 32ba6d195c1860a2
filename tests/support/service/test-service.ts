import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp, type App } from '../../../src/app.js';
import { loadConfig } from '../../../src/config/index.js';
import type { Overrides } from '../../../src/open-core.js';
import { createTestDatabase } from '../database/test-database.js';

export interface TestService extends App {
  /** Its base URL, without a slash at its end. */
  readonly url: string;
  /** Stops it and removes its database. */
  remove(): Promise<void>;
}

export interface ServiceOptions extends Overrides {
  /** Settings in addition to those that every test service needs. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the whole service on a new database and a free port, as `npm start` would. */
export async function startTestService({ settings = {}, ...overrides }: ServiceOptions = {}): Promise<TestService> {
  const [database, dataDir] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'convene-test-'))]);
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    PUBLIC_URL: 'http://localhost:4000',
    LOG_LEVEL: 'silent',
    // Tests of limits enable them. All others log in without limits.
    RATE_LIMITS: 'off',
    // A test that chooses an engine tests the HTTP layer of that engine.
    ...(settings.GRAPHQL_ENGINE === undefined ? {} : { DIRECT_LANE: 'off' }),
    ...settings,
  };
  const app = await buildApp(loadConfig(environment, dataDir), { log: pino({ level: 'silent' }), ...overrides });
  const url = await app.listen();
  return {
    ...app,
    url,
    remove: async () => {
      await app.close();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
