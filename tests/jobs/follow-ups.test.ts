import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eraseAccount, lockAccount, ServerSecret, UNLIMITED, type Mail } from '../../src/accounts/index.js';
import { inTransaction } from '../../src/database/index.js';
import { claimTask } from '../../src/database/outbox/claim-task.js';
import { completeTask } from '../../src/database/outbox/complete-task.js';
import { GroupWriteQueue } from '../../src/groups/index.js';
import { createTaskHandlers, registrationTaskNames, type TaskHandlerDefinition } from '../../src/jobs/index.js';
import { LEASE_MS } from '../../src/jobs/tasks/run-task.js';
import { isLockAwaited } from '../support/database/lock-waits.js';
import { waitUntil } from '../support/wait-until.js';
import { openJobsWorld, type JobsWorld } from './jobs-world.js';

let world: JobsWorld;
let all: readonly TaskHandlerDefinition[];
const mails: Mail[] = [];

beforeAll(async () => {
  world = await openJobsWorld({ backend: 'postgres', mongodbUri: null });
  all = createTaskHandlers({
    database: world.database,
    clock: world.clock,
    limits: UNLIMITED,
    mailer: {
      send: (mail) => {
        mails.push(mail);
        return Promise.resolve();
      },
      check: () => Promise.resolve(),
    },
    serverSecret: new ServerSecret([Buffer.alloc(32, 1)]),
    frontendUrl: 'https://convene.example',
    writeQueue: new GroupWriteQueue(),
  });
});
afterAll(() => world.close());

function erase(userId: string): Promise<void> {
  return inTransaction(world.database, async (em) => {
    const account = await lockAccount(em, userId, 'exclusive');
    if (account !== null) await eraseAccount(em, account, world.clock.now());
  });
}

describe('the announcement of a registration', () => {
  it('leaves nothing of an account that is erased at the same moment', async () => {
    const userId = await world.register();
    const id = await world.enqueue({ name: 'announce_registration', payload: { userId }, registeredUserId: userId });
    const task = await claimTask(world.database, id, world.clock.now(), LEASE_MS);
    const announce = all.find(({ name }) => name === 'announce_registration');
    if (task === null || announce === undefined || !('runInTransaction' in announce)) throw new Error('nothing to run');
    let erasure: Promise<void> = Promise.resolve();
    await inTransaction(world.database, async (em) => {
      await completeTask(em, task, await announce.runInTransaction(em, task), world.clock.now());
      await em.flush();
      erasure = erase(userId);
      await waitUntil('the erasure waits for the announcement', () => isLockAwaited(world.database));
    });
    await erasure;
    const { rows } = await world.database.pool.query('select kind from account_event where user_id = $1', [userId]);
    expect(rows).toEqual([]);
  });
});

describe('the follow-ups of a registration', () => {
  it('are these, in this order', () => {
    expect(registrationTaskNames(all)).toEqual(['verify_email', 'claim_invitation', 'announce_registration']);
  });

  it('skip the mail for an account without an address, and the claim without an invitation', async () => {
    const jobs = await world.start(all);
    const userId = await world.register();
    const ids: string[] = [];
    for (const name of registrationTaskNames(all))
      ids.push(await world.enqueue({ name, payload: { userId }, registeredUserId: userId }));

    jobs.dispatch(ids);

    const [verify = '', claim = '', announce = ''] = ids;
    await Promise.all([world.ends(verify, 'SKIPPED'), world.ends(claim, 'SKIPPED'), world.ends(announce, 'DONE')]);
    expect(mails).toEqual([]);
    const { rows } = await world.database.pool.query('select id, kind, user_id as "userId" from account_event');
    expect(rows).toEqual([{ id: announce, kind: 'user.registered', userId }]);
  });
});
