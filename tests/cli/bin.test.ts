import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findRunningPostmaster } from '../../src/database/embedded/files/pid-file.js';
import { candidateServerPaths } from '../../src/database/embedded/files/server-paths.js';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database/test-database.js';
import { startProcess, type TestProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = `${ROOT}dist/src/cli/main.js`;
const BUILD_LIMIT_MS = 300_000;
const LIMIT_MS = 300_000;
const CREDENTIALS = { username: 'ada', password: 'seven quiet lanterns' };
const GREETING = 'Convene serves on';

/** Shared by all tests, since creating a data folder takes longer than a start. */
let folder: string;
let port: number;
let running: TestProcess[];

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const { status, stderr } = spawnSync(process.execPath, [`${ROOT}scripts/set-up.mjs`, '--build'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`dist/ could not be built:\n${stderr}`);
}, BUILD_LIMIT_MS);
afterAll(() => removeFolder(folder));
beforeEach(async () => {
  port = await findFreePort();
  running = [];
});
afterEach(async () => {
  for (const started of running) {
    started.send('SIGTERM');
    await started.waitForExit();
  }
});

function convene(args: readonly string[], settings: Readonly<Record<string, string>> = {}): TestProcess {
  const started = startProcess([BIN, ...args], {
    PORT: String(port),
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    ...settings,
  });
  running.push(started);
  return started;
}

async function serving(): Promise<TestProcess> {
  const service = convene(['serve']);
  await service.waitForOutput(GREETING);
  return service;
}

async function outcome(command: TestProcess): Promise<{ code: number | null; output: string }> {
  const { code } = await command.waitForExit();
  return { code, output: command.output().trim() };
}

async function postmaster(dataDir = folder): Promise<number | null> {
  const found = await Promise.all(candidateServerPaths(dataDir).map(({ cluster }) => findRunningPostmaster(cluster)));
  return found.find((pid) => pid !== null) ?? null;
}

describe('the installed command', () => {
  it(
    'serves, and runs commands beside the service',
    async () => {
      const service = await serving();
      const headers = { 'content-type': 'application/json' };
      await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
        method: 'POST',
        headers,
        body: JSON.stringify(CREDENTIALS),
      });
      expect(await outcome(convene(['admin', 'grant', 'ada']))).toEqual({
        code: 0,
        output: 'ada is an administrator.',
      });
      const { code, output } = await outcome(convene(['doctor']));
      expect([code, output]).toEqual([0, expect.stringContaining('embedded, with a service running on it')]);
      const second = await outcome(convene(['serve']));
      expect(second).toEqual({
        code: 1,
        output: expect.stringContaining(`in use by another Convene (process ${service.pid})`),
      });
      expect(await postmaster()).not.toBeNull();
      expect(await outcome(convene(['demo']))).toMatchObject({
        code: 0,
        output: expect.stringContaining('the running service'),
      });
      service.send('SIGTERM');
      expect(await service.waitForExit()).toEqual({ code: 0, signal: null });
      expect(await outcome(convene(['admin', 'grant', 'ada']))).toEqual({
        code: 0,
        output: 'ada is an administrator.',
      });
      expect(await postmaster()).toBeNull();
    },
    LIMIT_MS,
  );

  it(
    'explains in one sentence that the port is in use, and leaves no process',
    async () => {
      await serving();
      const other = await createTemporaryFolder();
      const { code, output } = await outcome(convene(['serve'], { DATA_DIR: other }));
      expect(code).toBe(1);
      expect(output).toMatch(new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use by another program: .*PORT=`));
      expect(output.split('\n')).toHaveLength(1);
      expect(await postmaster(other)).toBeNull();
      await removeFolder(other);
    },
    LIMIT_MS,
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops cleanly on %s, also when it is sent twice',
    async (signal) => {
      const service = await serving();
      service.send(signal);
      await service.waitForOutput('Stopping');
      service.send(signal);
      expect(await service.waitForExit()).toEqual({ code: 0, signal: null });
      expect(await postmaster()).toBeNull();
    },
    LIMIT_MS,
  );

  it(
    'stops cleanly on a signal during the start',
    async () => {
      const fresh = await createTemporaryFolder();
      const service = convene(['serve'], { DATA_DIR: fresh });
      await waitUntil('the start has begun', () => existsSync(join(fresh, 'postgres')));
      service.send('SIGINT');
      expect(await service.waitForExit()).toEqual({ code: 0, signal: null });
      expect(service.output()).not.toContain(GREETING);
      expect(await postmaster(fresh)).toBeNull();
      await removeFolder(fresh);
    },
    LIMIT_MS,
  );

  it(
    'ends with npm when npm started it',
    async () => {
      const npm = startProcess(['start'], { PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'warn' }, 'npm');
      running.push(npm);
      await npm.waitForOutput(GREETING);
      npm.send('SIGTERM');
      expect(await npm.waitForExit()).toMatchObject({ code: 0 });
      expect(await postmaster()).toBeNull();
    },
    LIMIT_MS,
  );
});

describe('the bundled service', () => {
  const RECORDER = new URL('record-loaded-files.mjs', import.meta.url).href;
  const MAIN = `${ROOT}dist/src/main.js`;
  const PACKAGES_ON_DEMAND = [
    '@agendajs/mongo-backend',
    '@apollo/server',
    '@apollo/subgraph',
    '@scalar/fastify-api-reference',
    'ajv',
    'graphql-yoga',
    'light-my-request',
    'luxon',
    'mongodb',
    'nodemailer/lib/mailer',
    'pino-pretty',
  ];
  /** A start loaded 12 MB before the service was bundled. */
  const MAX_LOADED_BYTES = 4_500_000;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  function start(args: readonly string[], settings: Readonly<Record<string, string>> = {}): TestProcess {
    const started = startProcess([...args, MAIN], {
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      ...settings,
    });
    running.push(started);
    return started;
  }

  /** Returns the size of the code that a start loads, and the packages on demand that contributed to it. */
  async function loadedBy(
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ bytes: number; found: string[] }> {
    const file = join(folder, `loaded-${port}`);
    await start(['--import', RECORDER], { ...settings, LOADED_FILES: file }).waitForOutput(GREETING);
    const loaded = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((url) => relative(ROOT, fileURLToPath(url)))
      .filter((path) => path.endsWith('.js'));
    const { outputs } = JSON.parse(readFileSync(`${ROOT}dist/bundle.json`, 'utf8')) as {
      readonly outputs: Readonly<Record<string, { readonly inputs: object }>>;
    };
    const sources = loaded.flatMap((path) => [path, ...Object.keys(outputs[path]?.inputs ?? {})]);
    return {
      bytes: loaded.reduce((total, path) => total + statSync(`${ROOT}${path}`).size, 0),
      found: PACKAGES_ON_DEMAND.filter((name) => sources.some((path) => path.includes(`node_modules/${name}/`))),
    };
  }

  it(
    'loads no engine, other backend or rarely used package by default',
    async () => {
      const { bytes, found } = await loadedBy();
      expect(found).toEqual([]);
      expect(bytes).toBeLessThan(MAX_LOADED_BYTES);
    },
    LIMIT_MS,
  );

  it(
    'loads the engine of the settings and not the other',
    async () => {
      const { found } = await loadedBy({ GRAPHQL_ENGINE: 'apollo', DIRECT_LANE: 'off' });
      expect(found).toEqual(['@apollo/server']);
    },
    LIMIT_MS,
  );

  it(
    'names source files in the stack of a logged error',
    async () => {
      const broken = await createTestDatabase();
      const service = start([], { DATABASE_URL: broken.url });
      await service.waitForOutput(GREETING);
      await withClient(broken.url, (client) => client.query('drop table account cascade'));
      const { status } = await fetch(`http://127.0.0.1:${port}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(CREDENTIALS),
      });
      expect(status).toBe(500);
      await service.waitForOutput('Unexpected error');
      service.send('SIGTERM');
      await service.waitForExit();
      await broken.drop();
      const stack = /"stack":"([^"]*)"/.exec(service.output())?.[1]?.split('\\n') ?? [];
      const frames = stack.flatMap((line) => /file:\S+:\d+:\d+/.exec(line)?.[0] ?? []);
      const files = frames.map((frame) => relative(ROOT, fileURLToPath(frame.replace(/:\d+:\d+$/, ''))));
      expect(files).toContainEqual(expect.stringMatching(/^src\/.*\.ts$/));
      expect(files.filter((file) => file.startsWith('dist'))).toEqual([]);
    },
    LIMIT_MS,
  );
});
