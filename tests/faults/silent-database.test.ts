import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { startFaultProxy, type FaultProxy } from '../support/database/fault-proxy.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database/test-database.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

/** Requests that arrive together, as many as the pool has connections. */
const REQUESTS = 10;
const ANSWER_LIMIT_MS = 5_000;
const HEALING_LIMIT_MS = 2_000;
const STOP_LIMIT_MS = 10_000;

let database: TestDatabase;
let proxy: FaultProxy;
let dataDir: string;
let url: string;
let service: TestProcess;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFaultProxy(database.url);
  dataDir = await mkdtemp(join(tmpdir(), 'convene-test-'));
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  service = startProcess([...RUN_TYPESCRIPT, 'src/main.ts'], {
    NODE_ENV: 'test',
    DATABASE_URL: proxy.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: 'off',
  });
  await service.waitForOutput('Convene serves on');
  token = await logIn();
});
afterAll(async () => {
  service.send('SIGKILL');
  await service.waitForExit();
  await proxy.stop();
  // The server has not received the end of the connections.
  await withClient(database.url, (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    ),
  );
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function logIn(): Promise<string> {
  const credentials = { username: 'ada', password: 'correct horse battery' };
  await post('/api/auth/register', credentials);
  const { access_token: accessToken } = (await (await post('/api/auth/token', credentials)).json()) as {
    access_token: string;
  };
  return accessToken;
}

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function get(path: string): Promise<{ status: number; ms: number; retryAfter: string | null }> {
  const startedAt = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return {
    status: response.status,
    ms: performance.now() - startedAt,
    retryAfter: response.headers.get('retry-after'),
  };
}

function getTogether(path: string): Promise<Awaited<ReturnType<typeof get>>[]> {
  return Promise.all(Array.from({ length: REQUESTS }, () => get(path)));
}

describe('the service whose database connections are silent', () => {
  it.each(['/readyz', '/api/auth/me'])('answers %s with 503 within 5 s, and recovers within 2 s', async (path) => {
    expect((await getTogether(path)).map(({ status }) => status)).toEqual(Array.from({ length: REQUESTS }, () => 200));
    proxy.blackhole();

    const answers = [...(await getTogether(path)), ...(await getTogether(path))];

    proxy.restore();
    const restoredAt = performance.now();
    await waitUntil('it is ready', async () => (await get(path)).status === 200);
    expect(performance.now() - restoredAt).toBeLessThan(HEALING_LIMIT_MS);
    expect(new Set(answers.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(['503 1']));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(ANSWER_LIMIT_MS);
  });

  it('names the cause in its log, once', () => {
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('requests get status 503'));
    expect(lines.filter((line) => line.includes('has sent nothing for'))).toHaveLength(1);
    expect(lines.length).toBeLessThanOrEqual(3);
  });

  it('ends within 10 s of SIGTERM', async () => {
    proxy.blackhole();
    const pending = getTogether('/readyz').catch(() => undefined);
    const startedAt = performance.now();
    service.send('SIGTERM');
    await service.waitForExit();
    expect(performance.now() - startedAt).toBeLessThan(STOP_LIMIT_MS);
    await pending;
  });
});
