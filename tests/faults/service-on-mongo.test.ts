import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findFreePort } from '../../src/database/embedded/system/free-port.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database/test-database.js';
import { describeWithFerretDb } from '../support/ferretdb/describe-with-mongo.js';
import { TestClient } from '../support/http/test-client.js';
import { RUN_TYPESCRIPT, startProcess, type TestProcess } from '../support/processes/test-process.js';
import { waitUntil } from '../support/wait-until.js';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** The start compiles the sources, which takes long on a busy machine. */
const LIMIT_MS = 600_000;
const PASSWORD = 'seven quiet lanterns';
const FOLLOW_UPS_PER_USER = 3;

describeWithFerretDb('the service with JOBS_BACKEND=mongo', (server) => {
  let database: TestDatabase;
  let folder: string;
  let running: TestProcess;
  let client: TestClient;

  beforeAll(async () => {
    let port: number;
    [database, folder, port] = await Promise.all([createTestDatabase(), createTemporaryFolder(), findFreePort()]);
    const { host } = new URL(server().uri);
    running = startProcess([...RUN_TYPESCRIPT, MAIN], {
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      JOBS_BACKEND: 'mongo',
      // FerretDB accepts all credentials with this mechanism.
      MONGODB_URI: `mongodb://ada:hunter2@${host}/convene?authMechanism=PLAIN`,
    });
    client = new TestClient(`http://localhost:${String(port)}`);
    await running.waitForOutput('Convene serves on');
  }, LIMIT_MS);
  afterAll(async () => {
    running.send('SIGKILL');
    await running.waitForExit();
    await database.drop();
    await removeFolder(folder);
  }, LIMIT_MS);

  async function register(prefix: string, count: number): Promise<void> {
    for (let index = 1; index <= count; index += 1) {
      const username = `${prefix}${String(index)}`;
      const user = { username, password: PASSWORD, email: `${username}@mail.example` };
      expect((await client.post('/api/auth/register', user)).status).toBe(201);
    }
  }

  /** Counts follow-ups by status, and the events that each registration must cause once. */
  async function waitForFollowUps(users: number): Promise<void> {
    const expected = { finished: users * FOLLOW_UPS_PER_USER, all: users * FOLLOW_UPS_PER_USER, events: users, users };
    await waitUntil(`the follow-ups of ${String(users)} users have run`, async () => {
      const { finished, all } = await countFollowUps();
      return finished === all && all >= expected.all;
    });
    expect(await countFollowUps()).toEqual(expected);
  }

  function countFollowUps(): Promise<Record<'finished' | 'all' | 'events' | 'users', number>> {
    return withClient(database.url, async (connection) => {
      const { rows } = await connection.query<Record<'finished' | 'all' | 'events' | 'users', number>>(`
        select
          (select count(*)::integer from outbox_task where status in ('DONE', 'SKIPPED')) as finished,
          (select count(*)::integer from outbox_task) as "all",
          count(*)::integer as events, count(distinct user_id)::integer as users
        from account_event where kind = 'user.registered'`);
      return rows[0] ?? { finished: 0, all: 0, events: 0, users: 0 };
    });
  }

  it('runs every follow-up of a registration once, also while the server is down and after it is back', async () => {
    await register('before', 5);
    await waitForFollowUps(5);

    await server().kill();
    await register('during', 5);
    await waitForFollowUps(10);
    await running.waitForOutput('Agenda cannot be reached');

    await server().restart();
    await running.waitForOutput('Agenda is reached again');
    await register('after', 5);
    await waitForFollowUps(15);
  });

  it('exits with code 0 on SIGTERM while the server is down, and has logged no password', async () => {
    await server().kill();
    running.send('SIGTERM');

    expect(await running.waitForExit()).toEqual({ code: 0, signal: null });
    expect(running.output()).not.toContain('hunter2');
  });
});
