import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { buildApp, type App } from '../../../src/app.js';
import { runChecks } from '../../../src/cli/doctor/run-checks.js';
import { loadConfig, type Settings } from '../../../src/config/index.js';
import { createDatabaseClient } from '../../../src/database/client/database-client.js';
import { explainOperationalError } from '../../../src/explain-operational-error.js';
import { startDebianPostgres, type DebianPostgres } from '../../support/database/debian-postgres.js';
import { withClient } from '../../support/database/test-database.js';
import { describeWith } from '../../support/processes/installed-programs.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';

const ENCRYPTED = `
  select application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
  where application_name like 'convene%' order by application_name`;

let server: DebianPostgres;
let dataDir: string;

function url(parameters: string, host = 'localhost'): string {
  return `postgres://postgres:secret@${host}:${server.port}/postgres?${parameters}`;
}

function settingsFor(databaseUrl: string): Settings {
  return loadConfig({ NODE_ENV: 'test', DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0' }, dataDir);
}

function start(databaseUrl: string): Promise<App> {
  return buildApp(settingsFor(databaseUrl), { log: pino({ level: 'silent' }), hasher: FAKE_HASHER });
}

/** Says whether the connection is encrypted, or why there is none. */
async function connect(databaseUrl: string): Promise<boolean | string | null> {
  const client = createDatabaseClient({ url: databaseUrl, purpose: 'test' });
  try {
    await client.connect();
    const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return rows[0]?.ssl ?? null;
  } catch (error) {
    return explainOperationalError(error);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  server = await startDebianPostgres({ hba: ['hostssl all all all scram-sha-256'] });
  dataDir = await mkdtemp(join(tmpdir(), 'convene-test-'));
});
afterAll(async () => {
  await server.remove();
  await rm(dataDir, { recursive: true });
});

describeWith(['initdb', 'postgres'], 'connections to a server that requires TLS', () => {
  it('are encrypted, all of the service, and are listed so by the server', async () => {
    const verified = url(`sslmode=verify-full&sslrootcert=${server.certificates.authorityFile}`);
    const service = await start(verified);
    try {
      const { rows } = await service.database.pool.query<{ name: string; ssl: boolean }>(ENCRYPTED);
      const names = new Set(rows.map(({ name }) => name));
      expect(names).toEqual(
        new Set([
          'convene',
          'convene convene_group_changes',
          'convene convene_jobs',
          'convene convene_revocations',
          'convene jobs',
        ]),
      );
      expect(rows.filter(({ ssl }) => !ssl)).toEqual([]);
    } finally {
      await service.close();
    }
  });

  it('put the tables into the schema of options', async () => {
    const plain = url('sslmode=require');
    await withServer((client) => client.query('create schema tenant'));
    const service = await start(`${plain}&options=-c%20search_path%3Dtenant`);
    try {
      const { rows } = await service.database.pool.query<{ schema: string }>(
        "select table_schema as schema from information_schema.tables where table_name in ('account', 'migration')",
      );
      expect(rows.filter(({ schema }) => schema === 'tenant')).toHaveLength(2);
      expect((await service.database.pool.query('select current_schema() as name')).rows).toEqual([{ name: 'tenant' }]);
    } finally {
      await service.close();
    }
  });

  it.each([
    ['sslmode=require'],
    ['sslmode=prefer'],
    ['sslmode=allow'],
    [''],
    ['ssl=true'],
    ['sslmode=require&channel_binding=require'],
  ])('are encrypted with "%s"', async (parameters) => {
    expect(await connect(url(parameters))).toBe(true);
  });

  it('are refused by the server with sslmode=disable', async () => {
    expect(await connect(url('sslmode=disable'))).toMatch(/no pg_hba.conf entry.*no encryption/);
  });

  it.each(['require', 'verify-ca', 'verify-full'])(
    'are refused with sslmode=%s and another authority',
    async (mode) => {
      expect(await connect(url(`sslmode=${mode}&sslrootcert=${server.certificates.strangerFile}`))).toMatch(
        /^The database cannot be used \(.*certificate.*\): see sslmode and sslrootcert in DATABASE_URL\.$/,
      );
    },
  );

  it('are refused with verify-full when the certificate names another host', async () => {
    const rootcert = `sslrootcert=${server.certificates.authorityFile}`;
    expect(await connect(url(`sslmode=verify-full&${rootcert}`, '127.0.0.1'))).toMatch(/does not match.*127\.0\.0\.1/);
    expect(await connect(url(`sslmode=verify-ca&${rootcert}`, '127.0.0.1'))).toBe(true);
  });

  it('are refused with verify-full when no known authority has signed the certificate', async () => {
    expect(await connect(url('sslmode=verify-full'))).toMatch(/certificate.*see sslmode and sslrootcert/);
  });

  it('name the file that cannot be read', async () => {
    expect(await connect(url('sslmode=verify-full&sslrootcert=/nowhere.crt'))).toMatch(
      /^The file that sslrootcert of the database URL names cannot be read: ENOENT/,
    );
  });

  it('are checked by doctor in the same way', async () => {
    const stranger = url(`sslmode=verify-full&sslrootcert=${server.certificates.strangerFile}`);
    expect(await databaseCheck(stranger)).toMatch(/^error The database cannot be used .*certificate/);
    expect(await databaseCheck(url(`sslmode=verify-full&sslrootcert=${server.certificates.authorityFile}`))).toMatch(
      /^ok PostgreSQL 15/,
    );
  });
});

describeWith(['initdb', 'postgres'], 'connections to a server that requires client certificates', () => {
  it('present the certificate of sslcert', async () => {
    const { clientFile, clientKeyFile, authorityFile } = server.certificates;
    const other = await startDebianPostgres({ hba: ['hostssl all all all cert'] });
    try {
      const { certificates, port } = other;
      const base =
        `postgres://postgres@localhost:${port}/postgres?sslmode=verify-full` +
        `&sslrootcert=${certificates.authorityFile}`;
      expect(await connect(base)).toMatch(/certificate/);
      expect(await connect(`${base}&sslcert=${certificates.clientFile}&sslkey=${certificates.clientKeyFile}`)).toBe(
        true,
      );
      expect(await connect(`${base}&sslcert=${clientFile}&sslkey=${clientKeyFile}`)).toMatch(/unknown ca|certificate/i);
      expect(authorityFile).not.toBe(certificates.authorityFile);
    } finally {
      await other.remove();
    }
  });
});

async function databaseCheck(databaseUrl: string): Promise<string | undefined> {
  for await (const { subject, state, text } of runChecks(() => settingsFor(databaseUrl)))
    if (subject === 'Database') return `${state} ${text}`;
  return undefined;
}

function withServer<T>(work: Parameters<typeof withClient<T>>[1]): Promise<T> {
  return withClient(
    `postgres://postgres@/postgres?host=${encodeURIComponent(server.folder)}&port=${server.port}`,
    work,
  );
}
