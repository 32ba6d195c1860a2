import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { buildApp, type App } from '../../src/app.js';
import { loadConfig } from '../../src/config/index.js';
import { unnamedStatement } from '../../src/database/connection/statement.js';
import { inTransaction } from '../../src/database/index.js';
import { startDebianPostgres, type DebianPostgres } from '../support/database/debian-postgres.js';
import { withClient } from '../support/database/test-database.js';
import { describeWith } from '../support/processes/installed-programs.js';
import { createTestCore, FAKE_HASHER, type TestCore } from '../support/service/test-core.js';
import { waitUntil } from '../support/wait-until.js';

describe('a passing condition of the database', () => {
  let core: TestCore;

  beforeAll(async () => {
    core = await createTestCore();
    await core.database.pool.query(`
      create function fail_with(state text) returns void language plpgsql as
      $$ begin raise exception using errcode = state, message = 'simulated'; end $$`);
  });
  afterAll(() => core.remove());

  it.each([
    ['25006', 'DATABASE_UNAVAILABLE'],
    ['26000', 'DATABASE_UNAVAILABLE'],
    ['28P01', 'DATABASE_UNAVAILABLE'],
    ['3D000', 'DATABASE_UNAVAILABLE'],
    ['42P05', 'DATABASE_UNAVAILABLE'],
    ['53100', 'DATABASE_UNAVAILABLE'],
    ['53200', 'DATABASE_UNAVAILABLE'],
    ['53300', 'DATABASE_UNAVAILABLE'],
    ['57P01', 'DATABASE_UNAVAILABLE'],
    ['57P03', 'DATABASE_UNAVAILABLE'],
    ['58030', 'DATABASE_UNAVAILABLE'],
    ['08006', 'DATABASE_UNAVAILABLE'],
    ['40001', 'OVERLOADED'],
    ['40P01', 'OVERLOADED'],
    ['55P03', 'OVERLOADED'],
    ['57014', 'OVERLOADED'],
  ])('%s is an UnavailableError with Retry-After, of statements and of transactions', async (sqlstate, reason) => {
    const failing = unnamedStatement(`select fail_with('${sqlstate}')`);
    const expected = { kind: 'Unavailable', reason, retryAfterSeconds: 1 };
    await expect(core.database.query(failing, [])).rejects.toMatchObject(expected);
    await expect(inTransaction(core.database, (em) => em.execute(failing.text))).rejects.toMatchObject(expected);
    await expect(inTransaction(core.database, (em) => em.execute('select 1 as one'))).resolves.toEqual([{ one: 1 }]);
  });

  it.each([
    ['25006', true],
    ['26000', true],
    ['42P05', true],
    ['53100', false],
    ['57014', false],
  ])('%s closes the connection only if it is at fault', async (sqlstate, isClosed) => {
    const { pool } = core.database;
    const client = await pool.connect();
    client.on('error', () => undefined);
    let hasEnded = false;
    client.once('end', () => (hasEnded = true));
    await expect(client.query(`select fail_with('${sqlstate}')`)).rejects.toMatchObject({ code: sqlstate });
    await new Promise(setImmediate);
    client.release();
    await waitUntil('the pool has settled', async () => (await pool.query('select 1')).rowCount === 1);
    if (isClosed) await waitUntil('the connection has ended', () => hasEnded);
    else expect(hasEnded).toBe(false);
  });

  it('is none when a table was altered under a prepared statement', async () => {
    const { database } = core;
    await database.pool.query('create table altered (id integer)');
    const all = { ...unnamedStatement('select * from altered'), name: 'altered' };
    await Promise.all(Array.from({ length: 5 }, () => database.query(all, [])));
    await database.pool.query('alter table altered add column other integer');
    await expect(database.query(all, [])).resolves.toEqual([]);
  });
});

describeWith(['initdb', 'postgres', 'pg_basebackup'], 'the service beside a hot standby', () => {
  let primary: DebianPostgres;
  let standby: DebianPostgres;
  let service: App;
  let url: string;
  let dataDir: string;

  beforeAll(async () => {
    primary = await startDebianPostgres();
    standby = await primary.startStandby();
    dataDir = await mkdtemp(join(tmpdir(), 'convene-test-'));
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    const settings = loadConfig(
      {
        NODE_ENV: 'test',
        DATABASE_URL: `postgres://postgres:secret@${hosts}/postgres?target_session_attrs=read-write`,
        DATA_DIR: dataDir,
        PORT: '0',
        RATE_LIMITS: 'off',
      },
      dataDir,
    );
    service = await buildApp(settings, { log: pino({ level: 'silent' }), hasher: FAKE_HASHER });
    url = await service.listen();
  });
  afterAll(async () => {
    await service.close();
    await primary.remove();
    await rm(dataDir, { recursive: true });
  });

  async function readiness(): Promise<number> {
    return (await fetch(`${url}/readyz`)).status;
  }

  async function register(username: string): Promise<Response> {
    return fetch(`${url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse battery' }),
    });
  }

  it('starts on the host that accepts writes, whatever its place in the URL', async () => {
    const { rows } = await service.database.pool.query<{ port: string }>('show port');
    expect(rows).toEqual([{ port: String(primary.port) }]);
    expect(await readiness()).toBe(200);
    expect((await register('ada')).status).toBe(201);
  });

  it('answers 503 with Retry-After while no host accepts writes', async () => {
    await makeReadOnly(true);
    const statuses: number[] = [];
    await waitUntil('it is not ready', async () => {
      statuses.push(await readiness());
      return statuses.at(-1) !== 200;
    });
    const refused = await register('bea');
    expect([statuses.at(-1), refused.status, refused.headers.get('retry-after')]).toEqual([503, 503, '1']);

    await makeReadOnly(false);
    await waitUntil('it is ready', async () => (await readiness()) === 200);
    expect((await register('bea')).status).toBe(201);
  });

  it('follows a failover without a status 500', async () => {
    const statuses = new Set<number>();
    await primary.stop('SIGQUIT');
    statuses.add(await readiness());
    statuses.add((await register('cleo')).status);
    await withClient(standby.url, (client) => client.query('select pg_promote()'));
    await waitUntil('it is ready', async () => {
      const status = await readiness();
      statuses.add(status);
      return status === 200;
    });
    expect((await register('dora')).status).toBe(201);
    expect([...statuses].sort()).toEqual([200, 503]);
  });

  async function makeReadOnly(isReadOnly: boolean): Promise<void> {
    await withClient(primary.url, async (client) => {
      await client.query('set default_transaction_read_only = off');
      await client.query(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await client.query('select pg_reload_conf()');
    });
  }
});
