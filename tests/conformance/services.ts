import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../support/database/test-database.js';
import { startTestServer, stopTestServer } from '../support/database/test-server.js';
import { startProcess } from '../support/processes/test-process.js';
import type { Service, Services } from './suite.js';

const MAIN = 'dist/src/main.js';
const GREETING = /Convene serves on (\S+?)\/?\. Ctrl-C stops it\./;

/** Runs `work` with the compiled service on each engine, on a temporary database. */
export async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  await startTestServer();
  try {
    const database = await createTestDatabase();
    return await withDatabase(database.url, work).finally(() => database.drop());
  } finally {
    await stopTestServer();
  }
}

async function withDatabase<T>(databaseUrl: string, work: (services: Services) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'convene-conformance-'));
  const started: Service[] = [];
  const start: Services['start'] = async (settings) => {
    const service = await startService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...settings });
    started.push(service);
    return service;
  };
  try {
    const yoga = await start({ GRAPHQL_ENGINE: 'yoga', DIRECT_LANE: 'off' });
    const apollo = await start({ GRAPHQL_ENGINE: 'apollo', DIRECT_LANE: 'off' });
    const direct = await start({});
    return await work({ yoga, apollo, direct, databaseUrl, dataDir, start });
  } finally {
    await Promise.all(started.map((service) => service.stop()));
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startService(settings: Readonly<Record<string, string>>): Promise<Service> {
  const process = startProcess([MAIN], { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...settings });
  await process.waitForOutput('Ctrl-C stops it.');
  const url = GREETING.exec(process.output())?.[1];
  if (url === undefined) throw new Error(`the service did not print its URL, but:\n${process.output()}`);
  return {
    url,
    engine: settings.GRAPHQL_ENGINE === 'apollo' ? 'apollo' : 'yoga',
    output: () => process.output(),
    async stop() {
      process.send('SIGTERM');
      await process.waitForExit();
    },
  };
}
