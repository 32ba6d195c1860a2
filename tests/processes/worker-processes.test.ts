import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { GRANTED_CONNECTIONS_SQL, type GrantedConnections } from '../../src/database/connection/granted-connections.js';
import { findRunningServer } from '../../src/database/embedded/embedded-server.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database/test-database.js';
import { waitUntil } from '../support/wait-until.js';
import {
  isRunning,
  startWorkers,
  waitForReplacement,
  waitUntilListening,
  type WorkerService,
} from './worker-service.js';

/** Each start compiles the sources again, which takes long on a busy machine. */
const LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 10_000;
const REPLACED = 'A worker process has ended and is replaced';

let folder: string;
let database: TestDatabase | null;
let services: WorkerService[];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  database = null;
  services = [];
});
afterEach(async () => {
  for (const { process } of services) {
    process.send('SIGTERM');
    await process.waitForExit();
  }
  await database?.drop();
  await removeFolder(folder);
}, LIMIT_MS);

async function start(settings: Readonly<Record<string, string>> = {}, port?: number): Promise<WorkerService> {
  const service = await startWorkers({ DATA_DIR: folder, ...settings }, port);
  services.push(service);
  return service;
}

async function startListening(settings: Readonly<Record<string, string>> = {}): Promise<WorkerService> {
  const service = await start(settings);
  await waitUntilListening(service);
  return service;
}

/** The lines that are no log. */
function textsOf({ process }: WorkerService): string[] {
  return process
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
}

async function isReady({ url }: WorkerService): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).status === 200;
}

describe('a service with WEB_CONCURRENCY=2', () => {
  it(
    'starts one embedded database and greets once, with two workers, and stops on SIGTERM, once',
    async () => {
      const service = await startListening();
      const { process, workerPids, logLines } = service;
      expect(workerPids()).toHaveLength(2);
      expect(new Set(workerPids()).size).toBe(2);
      expect(workerPids()).not.toContain(process.pid);
      expect(logLines().every(({ pid }) => pid > 0)).toBe(true);
      expect(textsOf(service).filter((line) => line.startsWith('Convene serves on'))).toHaveLength(1);
      expect(process.output()).toContain('brought up to date');
      expect(await findRunningServer(folder)).toMatchObject({ ownerPid: process.pid });
      expect(await isReady(service)).toBe(true);

      const stoppedAt = performance.now();
      process.send('SIGTERM');
      process.send('SIGTERM');
      process.send('SIGINT');
      expect(await process.waitForExit()).toEqual({ code: 0, signal: null });
      expect(performance.now() - stoppedAt).toBeLessThan(STOP_LIMIT_MS);
      expect(workerPids().some(isRunning)).toBe(false);
      expect(await findRunningServer(folder)).toBeNull();
      expect(textsOf(service).at(-1)).toBe('Stopping …');
    },
    LIMIT_MS,
  );

  it(
    'replaces killed workers, each time after a longer delay, and ends its workers when it is killed itself',
    async () => {
      database = await createTestDatabase();
      const service = await startListening({ DATABASE_URL: database.url });
      const [killed = 0, other = 0] = service.workerPids();
      const replacement = await waitForReplacement(service, killed);
      const second = await waitForReplacement(service, replacement);
      expect(await isReady(service)).toBe(true);
      const replaced = service.logLines().filter(({ msg }) => msg === REPLACED);
      expect(replaced.map(({ workerPid, delayMs }) => ({ workerPid, delayMs }))).toEqual([
        { workerPid: killed, delayMs: 500 },
        { workerPid: replacement, delayMs: 1_000 },
      ]);

      service.process.send('SIGKILL');
      await service.process.waitForExit();
      await waitUntil('no worker runs', () => ![other, second].some(isRunning));
    },
    LIMIT_MS,
  );
});

describe('a start with WEB_CONCURRENCY=2 that fails', () => {
  async function expectFailure(service: WorkerService, sentence: string): Promise<void> {
    expect(await service.process.waitForExit()).toEqual({ code: 1, signal: null });
    expect(textsOf(service)).toEqual([sentence]);
    expect(service.workerPids().some(isRunning)).toBe(false);
  }

  it(
    'names the port in use, before it starts a database',
    async () => {
      const other = createServer();
      const port = await listen(other);
      await expectFailure(
        await start({}, port),
        `Port ${port} of 127.0.0.1 is in use by another program: stop that one, or choose another port, ` +
          'as in PORT=4001 npm start.',
      );
      expect(await readdir(folder)).toEqual([]);
      other.close();
    },
    LIMIT_MS,
  );

  it(
    'states once that the server grants enough connections for one process only',
    async () => {
      database = await createTestDatabase();
      const granted = await withClient(database.url, grantedConnections);
      const service = await start({ DATABASE_URL: database.url, DATABASE_POOL: String(granted) });
      await expectFailure(
        service,
        `The service uses up to 2 × ${granted} (WEB_CONCURRENCY × DATABASE_POOL) database connections, and the ` +
          `server grants ${granted}: lower one of them, or raise max_connections.`,
      );
    },
    LIMIT_MS,
  );
});

async function grantedConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query<GrantedConnections>(GRANTED_CONNECTIONS_SQL);
  return rows[0]?.granted ?? 0;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}
