import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eraseAccount, lockAccount, newId, ServerSecret, UNLIMITED, type Mail } from '../../src/accounts/index.js';
import { inTransaction } from '../../src/database/index.js';
import { claimTasks, type ClaimedTask } from '../../src/database/outbox/claim-tasks.js';
import { GroupWriteQueue } from '../../src/groups/index.js';
import { createTaskHandlers, registrationTaskNames, type TaskHandlerDefinition } from '../../src/jobs/index.js';
import { createTaskRun, LEASE_MS, type RunTaskDeps } from '../../src/jobs/tasks/run-task.js';
import { isLockAwaited } from '../support/database/lock-waits.js';
import { waitUntil } from '../support/wait-until.js';
import { createJobsFixture, type JobsFixture } from './jobs-fixture.js';

const SILENT: RunTaskDeps['log'] = { info: () => undefined, warn: () => undefined, error: () => undefined };

let fixture: JobsFixture;
let all: readonly TaskHandlerDefinition[];
const mails: Mail[] = [];

beforeAll(async () => {
  fixture = await createJobsFixture({ backend: 'postgres', mongodbUri: null });
  all = createTaskHandlers({
    database: fixture.database,
    clock: fixture.clock,
    limits: UNLIMITED,
    mailer: {
      send: (mail) => {
        mails.push(mail);
        return Promise.resolve();
      },
      check: () => Promise.resolve(null),
    },
    serverSecret: new ServerSecret([Buffer.alloc(32, 1)]),
    frontendUrl: 'https://convene.example',
    writeQueue: new GroupWriteQueue(),
  });
});
afterAll(() => fixture.close());

function erase(userId: string): Promise<void> {
  return inTransaction(fixture.database, async (em) => {
    const account = await lockAccount(em, userId, 'exclusive');
    if (account !== null) await eraseAccount(em, account, fixture.clock.now());
  });
}

async function eventsOf(userId: string): Promise<unknown[]> {
  const { rows } = await fixture.database.pool.query('select id, kind from account_event where user_id = $1', [userId]);
  return rows;
}

describe('registrationEventHandler', () => {
  async function claimEvent(userId: string): Promise<ClaimedTask> {
    const id = await fixture.enqueueFollowUp(userId, { name: 'announce_registration', payload: { userId } });
    const [task] = await claimTasks(fixture.database, [id], fixture.clock.now(), LEASE_MS);
    if (task === undefined) throw new Error('not due');
    return task;
  }

  function runBatch(tasks: readonly ClaimedTask[]): Promise<readonly string[]> {
    const handler = all.find(({ name }) => name === 'announce_registration');
    if (handler === undefined || !('runBatch' in handler)) throw new Error('handler is missing');
    return handler.runBatch(tasks);
  }

  it('records the events of several registrations, and skips accounts that do not exist', async () => {
    const [ada, bob] = [await fixture.register(), await fixture.register()];
    const tasks = [await claimEvent(ada), await claimEvent(bob)];
    const unknownId = newId();
    const unknown = { ...(await claimEvent(await fixture.register())), payload: { userId: unknownId } };

    expect((await runBatch([...tasks, unknown])).toSorted()).toEqual(
      [...tasks, unknown].map(({ id }) => id).toSorted(),
    );

    expect([await eventsOf(ada), await eventsOf(bob)]).toEqual(
      tasks.map(({ id }) => [{ id, kind: 'user.registered' }]),
    );
    expect(await eventsOf(unknownId)).toEqual([]);
    expect(await fixture.task(unknown.id)).toMatchObject({ status: 'SKIPPED' });
    expect(await runBatch(tasks)).toEqual([]);
  });

  it('leaves no event of an account that is erased concurrently before', async () => {
    const userId = await fixture.register();
    const task = await claimEvent(userId);
    let running: Promise<readonly string[]> = Promise.resolve([]);
    await inTransaction(fixture.database, async (em) => {
      const account = await lockAccount(em, userId, 'exclusive');
      running = runBatch([task]);
      await waitUntil('the handler waits for the lock of the account', () => isLockAwaited(fixture.database));
      if (account !== null) await eraseAccount(em, account, fixture.clock.now());
    });
    expect(await running).toEqual([]);
    expect(await eventsOf(userId)).toEqual([]);
  });

  it('leaves no event of accounts that are erased while it runs', async () => {
    for (let round = 0; round < 10; round += 1) {
      const userIds = await Promise.all(Array.from({ length: 4 }, () => fixture.register()));
      const tasks = await Promise.all(userIds.map(claimEvent));
      await Promise.all([runBatch(tasks), ...userIds.toReversed().map(erase)]);
      expect(await Promise.all(userIds.map(eventsOf))).toEqual([[], [], [], []]);
    }
  });
});

describe('registrationTaskNames', () => {
  it('returns the follow-ups of a registration in the order of its response', () => {
    expect(registrationTaskNames(all)).toEqual(['verify_email', 'claim_invitation', 'announce_registration']);
  });
});

describe('the follow-ups of a registration', () => {
  it('skip the mail without an email address, and the claim without an invitation', async () => {
    const jobs = await fixture.start(all);
    const userId = await fixture.register();
    const ids: string[] = [];
    for (const name of registrationTaskNames(all))
      ids.push(await fixture.enqueueFollowUp(userId, { name, payload: { userId } }));

    jobs.dispatch(ids);

    const [verify = '', claim = '', announce = ''] = ids;
    await Promise.all([
      fixture.waitForStatus(verify, 'SKIPPED'),
      fixture.waitForStatus(claim, 'SKIPPED'),
      fixture.waitForStatus(announce, 'DONE'),
    ]);
    expect(mails).toEqual([]);
    expect(await eventsOf(userId)).toEqual([{ id: announce, kind: 'user.registered' }]);
  });
});

describe('a task whose payload names nothing', () => {
  it.each([
    'verify_email',
    'announce_registration',
    'mail_invitation',
    'expire_invitation',
    'consume_invitation',
    'record_deadline',
    'reset_password',
  ])('fails after its first attempt: %s', async (name) => {
    const id = await fixture.enqueue({ name, payload: {} });
    await createTaskRun({ ...fixture, handlers: all, log: SILENT, dispatchAfter: () => undefined })(id);
    expect(await fixture.task(id)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      lastError: expect.stringMatching(/^Task payload has no \w+$/),
    });
  });
});
