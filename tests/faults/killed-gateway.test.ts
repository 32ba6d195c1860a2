import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServerSecret, UNLIMITED, type Mail } from '../../src/accounts/index.js';
import { GroupWriteQueue } from '../../src/groups/index.js';
import { createTaskHandlers, startJobs } from '../../src/jobs/index.js';
import { createOutboxFixture, type OutboxFixture } from '../database/outbox/outbox-fixture.js';
import { createTemporaryFolder, removeFolder } from '../support/database/temporary-folder.js';
import { runScript } from '../support/processes/run-script.js';
import { waitUntil } from '../support/wait-until.js';

const SECRET = Buffer.alloc(32, 7);
let fixture: OutboxFixture;
let folder: string;

beforeAll(async () => {
  [fixture, folder] = await Promise.all([createOutboxFixture(), createTemporaryFolder()]);
});
afterAll(async () => {
  await fixture.close();
  await removeFolder(folder);
});

interface Registered {
  readonly userId: string;
  readonly tasks: Readonly<Record<string, string>>;
}

async function registered(): Promise<Registered[]> {
  const { rows } = await fixture.database.pool.query<Registered>(
    `select a.id as "userId", json_object_agg(t.name, t.status) as tasks
     from account a left join outbox_task t on t.registered_user_id = a.id group by a.id`,
  );
  return rows;
}

describe("a gateway that is killed between a registration's commit and its dispatch", () => {
  it('leaves every account with all its follow-ups, and another process runs each of them once', async () => {
    const killed = await runScript(new URL('register-then-die.ts', import.meta.url), [], {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: fixture.url,
      DATA_DIR: folder,
      SERVER_SECRET: SECRET.toString('base64'),
    });
    expect(killed).toMatchObject({ signal: 'SIGKILL' });
    const accounts = await registered();
    expect(accounts.length).toBeGreaterThan(0);
    for (const { tasks } of accounts) {
      expect(tasks).toEqual({ verify_email: 'QUEUED', claim_invitation: 'QUEUED', announce_registration: 'QUEUED' });
    }

    const mails: Mail[] = [];
    const { database } = fixture;
    const clock = { now: () => new Date() };
    const mailer = {
      send: async (mail: Mail) => {
        mails.push(mail);
      },
      check: () => Promise.resolve(null),
    };
    const handlers = createTaskHandlers({
      database,
      clock,
      limits: UNLIMITED,
      mailer,
      serverSecret: new ServerSecret([SECRET]),
      frontendUrl: 'https://convene.example',
      writeQueue: new GroupWriteQueue(),
    });
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const jobs = await startJobs({
      backend: 'postgres',
      databaseUrl: fixture.url,
      mongodbUri: null,
      database,
      clock,
      log,
      handlers,
      workerName: 'survivor',
    });
    await waitUntil('no task is pending', async () =>
      (await registered()).every(({ tasks }) => !Object.values(tasks).includes('QUEUED')),
    );
    await jobs.stop();

    for (const { tasks } of await registered()) {
      expect(tasks).toEqual({ verify_email: 'DONE', claim_invitation: 'SKIPPED', announce_registration: 'DONE' });
    }
    expect(mails.map(({ to }) => to).toSorted()).toEqual([...new Set(mails.map(({ to }) => to))].toSorted());
    expect(mails).toHaveLength(accounts.length);
    const { rows } = await database.pool.query<{ user_id: string }>(
      "select user_id from account_event where kind = 'user.registered'",
    );
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual(accounts.map(({ userId }) => userId).toSorted());
  });
});
