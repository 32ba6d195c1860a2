import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { buildApp, type App } from '../../../src/app.js';
import { runChecks } from '../../../src/cli/doctor/run-checks.js';
import { loadConfig, type Settings } from '../../../src/config/index.js';
import { startPgBouncer, type PgBouncer } from '../../support/database/pgbouncer.js';
import { createEmptyDatabase, withClient, type TestDatabase } from '../../support/database/test-database.js';
import { describeWith } from '../../support/processes/installed-programs.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { waitUntil } from '../../support/wait-until.js';

const REQUESTS = 50;

describeWith(['pgbouncer'], 'the service behind PgBouncer', () => {
  let dataDir: string;
  let database: TestDatabase;
  let pooler: PgBouncer | null = null;
  let service: App | null = null;
  let url: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'convene-test-'));
  });
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(async () => {
    await service?.close();
    service = null;
    await pooler?.remove();
    pooler = null;
    await database.drop();
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  function settings(extra: Readonly<Record<string, string>>): Settings {
    const all = { NODE_ENV: 'test', DATABASE_URL: pooler?.url ?? '', DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off' };
    return loadConfig({ ...all, ...extra }, dataDir);
  }

  async function start(extra: Readonly<Record<string, string>>): Promise<void> {
    service = await buildApp(settings(extra), { log: pino({ level: 'silent' }), hasher: FAKE_HASHER });
    url = await service.listen();
  }

  async function statuses(path: string): Promise<Set<number>> {
    const responses = await Promise.all(Array.from({ length: REQUESTS }, () => fetch(url + path)));
    return new Set(responses.map(({ status }) => status));
  }

  async function register(username: string): Promise<number> {
    const response = await fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse battery' }),
    });
    return response.status;
  }

  function unfinishedFollowUps(): Promise<number> {
    return withClient(database.url, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        'select count(*)::integer as count from outbox_task where due_at is not null',
      );
      return rows[0]?.count ?? -1;
    });
  }

  describe.each([
    ['session', false],
    ['transaction', false],
    ['transaction', true],
  ] as const)('in %s mode, with a direct URL: %s', (mode, hasDirectUrl) => {
    it('migrates, serves requests and runs follow-ups', async () => {
      pooler = await startPgBouncer(database.url, mode);
      await start({ DATABASE_POOLER: mode, ...(hasDirectUrl && { DATABASE_DIRECT_URL: database.url }) });

      expect(await statuses('/readyz')).toEqual(new Set([200]));
      const users = Array.from({ length: 10 }, (_, index) => `user${index}`);
      expect(new Set(await Promise.all(users.map(register)))).toEqual(new Set([201]));
      await waitUntil('the follow-ups are done', async () => (await unfinishedFollowUps()) === 0);
      expect(await advisoryLocks()).toBe(0);
    });
  });

  it('rejects options in the URL, which the pooler would not pass on', async () => {
    pooler = await startPgBouncer(database.url, 'session');
    const extra = { DATABASE_POOLER: 'session', DATABASE_URL: `${pooler.url}?options=-c%20search_path%3Dx` };
    await expect(start(extra)).rejects.toThrow(/has options, which a pooler does not pass on/);
  });

  it('is told by doctor to declare a pooler in transaction mode', async () => {
    pooler = await startPgBouncer(database.url, 'transaction');
    expect(await poolerCheck({})).toMatch(/^error .*set DATABASE_POOLER=transaction/);
    expect(await poolerCheck({ DATABASE_POOLER: 'transaction' })).toMatch(/^warning .*polls instead of listening/);
    expect(await poolerCheck({ DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: database.url })).toMatch(/^ok /);
  });

  async function poolerCheck(extra: Readonly<Record<string, string>>): Promise<string | undefined> {
    for await (const { subject, state, text } of runChecks(() => settings(extra)))
      if (subject === 'Pooler') return `${state} ${text}`;
    return undefined;
  }

  function advisoryLocks(): Promise<number> {
    return withClient(database.url, async (client) => {
      const { rowCount } = await client.query(`select from pg_locks where locktype = 'advisory' and objid = 7266331`);
      return rowCount ?? -1;
    });
  }
});
