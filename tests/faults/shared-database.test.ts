import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database/test-database.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

/** The key of the lock of migrations. */
const MIGRATION_LOCK = 7_266_331;
const POOL = 8;
const STOP_LIMIT_MS = 10_000;

let database: TestDatabase;
let dataDir: string;
let url: string;
let service: TestProcess;

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'convene-test-'));
});
afterEach(async () => {
  service.send('SIGKILL');
  await service.waitForExit();
  await waitUntil('the connections to end', async () => (await countConnections()) === 0);
  await database.drop();
  await rm(dataDir, { recursive: true });
});

async function startService(): Promise<void> {
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}`;
  service = startProcess([...RUN_TYPESCRIPT, 'src/main.ts'], {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATABASE_POOL: String(POOL),
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: 'off',
  });
}

/** Counts the connections to the database besides the one that counts. */
function countConnections(): Promise<number> {
  return withClient(database.url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows[0]?.count ?? 0;
  });
}

describe('a service that shares its database', () => {
  it('holds at most DATABASE_POOL connections, those that listen and those of Agenda included', async () => {
    await startService();
    await service.waitForOutput('Convene serves on');
    const counts: number[] = [];

    for (let round = 0; round < 5; round += 1) {
      const requests = Array.from({ length: 40 }, (_, index) =>
        fetch(`${url}/api/auth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: `user-${round}-${index}`, password: 'seven quiet lanterns' }),
        }),
      );
      counts.push(await countConnections());
      await Promise.all(requests);
      counts.push(await countConnections());
    }

    expect(Math.max(...counts)).toBeLessThanOrEqual(POOL);
    expect(Math.max(...counts)).toBeGreaterThan(POOL / 2);
  });

  it('says that another process migrates, and stops on SIGTERM while it waits', async () => {
    await withClient(database.url, async (client) => {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await startService();
      await service.waitForOutput('Waiting for another process');

      const sentAtMs = performance.now();
      service.send('SIGTERM');
      const { code } = await service.waitForExit();

      expect(performance.now() - sentAtMs).toBeLessThan(STOP_LIMIT_MS);
      expect(code).toBe(0);
      expect(service.output()).not.toContain('Convene serves on');
    });
  });

  it('starts when the other process has migrated', async () => {
    await withClient(database.url, async (client) => {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await startService();
      await service.waitForOutput('Waiting for another process');
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);

      await service.waitForOutput('Convene serves on');
    });
  });
});
