import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eraseAccount, lockAccount, ServerSecret, UNLIMITED, type Mail } from '../../src/accounts/index.js';
import { inTransaction } from '../../src/database/index.js';
import { claimTask } from '../../src/database/outbox/claim-task.js';
import { completeTask } from '../../src/database/outbox/complete-task.js';
import { GroupWriteQueue } from '../../src/groups/index.js';
import { createTaskHandlers, registrationTaskNames, type TaskHandlerDefinition } from '../../src/jobs/index.js';
import { LEASE_MS, runTask, type RunTaskDeps } from '../../src/jobs/tasks/run-task.js';
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

describe('registrationEventHandler', () => {
  it('leaves no event of an account that is erased concurrently', async () => {
    const userId = await fixture.register();
    const id = await fixture.enqueueFollowUp(userId, { name: 'announce_registration', payload: { userId } });
    const task = await claimTask(fixture.database, id, fixture.clock.now(), LEASE_MS);
    const handler = all.find(({ name }) => name === 'announce_registration');
    if (task === null || handler === undefined || !('runInTransaction' in handler))
      throw new Error('task or handler is missing');
    let erasure: Promise<void> = Promise.resolve();
    await inTransaction(fixture.database, async (em) => {
      await completeTask(em, task, await handler.runInTransaction(em, task), fixture.clock.now());
      await em.flush();
      erasure = erase(userId);
      await waitUntil('the erasure waits for the lock of the account', () => isLockAwaited(fixture.database));
    });
    await erasure;
    const { rows } = await fixture.database.pool.query('select kind from account_event where user_id = $1', [userId]);
    expect(rows).toEqual([]);
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
    const { rows } = await fixture.database.pool.query('select id, kind, user_id as "userId" from account_event');
    expect(rows).toEqual([{ id: announce, kind: 'user.registered', userId }]);
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
    await runTask(
      {
        ...fixture,
        handlers: new Map(all.map((each) => [each.name, each])),
        log: SILENT,
        dispatchAfter: () => undefined,
      },
      id,
    );
    expect(await fixture.task(id)).toMatchObject({
      status: 'FAILED',
      attempts: 1,
      lastError: expect.stringMatching(/^Task payload has no \w+$/),
    });
  });
});
