import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listFollowUps } from '../../../src/accounts/follow-ups/list-follow-ups.js';
import { retryFollowUp, type RetryFollowUpDeps } from '../../../src/accounts/follow-ups/retry-follow-up.js';
import { createAccountLoaders, OPERATOR } from '../../../src/accounts/index.js';
import { claimTasks } from '../../../src/database/outbox/claim-tasks.js';
import { completeTasks } from '../../../src/database/outbox/complete-tasks.js';
import { NotFoundError } from '../../../src/errors/index.js';
import { createOutboxFixture, type OutboxFixture } from '../../database/outbox/outbox-fixture.js';

const NAMES = ['verify_email', 'claim_invitation', 'announce_registration'];
let fixture: OutboxFixture;
let deps: RetryFollowUpDeps;

beforeAll(async () => {
  fixture = await createOutboxFixture();
  const { database, clock } = fixture;
  deps = { database, clock, loaders: createAccountLoaders(database), dispatchTasks: () => undefined };
});
afterAll(() => fixture.close());

async function enqueueFollowUp(): Promise<string> {
  return fixture.enqueueFollowUp(await fixture.register(), { name: 'verify_email' });
}

async function enqueueFailedFollowUp(): Promise<string> {
  const id = await enqueueFollowUp();
  await fixture.database.pool.query(
    `
    update outbox_task
    set status = 'FAILED', attempts = 12, due_at = null, finished_at = created_at, last_error = 'gone'
    where id = $1`,
    [id],
  );
  return id;
}

describe('listFollowUps', () => {
  it('returns the follow-ups of registrations, newest first, in pages', async () => {
    await fixture.enqueue({ name: 'not_of_a_registration' });
    const userId = await fixture.register();
    const ids: string[] = [];
    for (const name of NAMES) {
      ids.push(await fixture.enqueueFollowUp(userId, { name }));
      fixture.clock.advance(1);
    }

    const first = await listFollowUps(deps, OPERATOR, { status: null, first: 2 });
    const second = await listFollowUps(deps, OPERATOR, { status: null, first: 2, after: first.pageInfo.endCursor });

    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    expect(second).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false } });
    expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(ids.toReversed());
    expect(first.nodes[0]).toEqual({
      id: ids[2],
      name: 'announce_registration',
      status: 'QUEUED',
      attempts: 0,
      lastError: null,
      createdAt: expect.any(Date),
      finishedAt: null,
      userId,
    });
  });

  it('filters by status', async () => {
    const id = await enqueueFailedFollowUp();

    const page = await listFollowUps(deps, OPERATOR, { status: 'FAILED', first: 100 });

    expect(page).toMatchObject({ totalCount: 1, nodes: [{ id, lastError: 'gone', attempts: 12 }] });
    const rest = await listFollowUps(deps, OPERATOR, {
      status: 'FAILED',
      first: 100,
      after: page.pageInfo.endCursor,
    });
    expect(rest.nodes).toEqual([]);
  });

  it('rejects an invalid cursor', async () => {
    await expect(listFollowUps(deps, OPERATOR, { status: null, first: 1, after: 'eA' })).rejects.toMatchObject({
      reason: 'INVALID_INPUT',
    });
  });
});

describe('retryFollowUp', () => {
  it('queues a failed follow-up with all its attempts', async () => {
    const id = await enqueueFailedFollowUp();
    fixture.clock.advance(5_000);

    expect(await retryFollowUp(deps, OPERATOR, id)).toMatchObject({
      id,
      status: 'QUEUED',
      attempts: 0,
      lastError: 'gone',
    });

    const [task] = await claimTasks(fixture.database, [id], fixture.clock.now(), 1_000);
    expect(task).toMatchObject({ attempts: 1, status: 'RUNNING' });
    await completeTasks(fixture.database, [{ id, attempts: 1, status: 'DONE' }], fixture.clock.now());
    expect(await fixture.task(id)).toMatchObject({ status: 'DONE', lastError: null });
  });

  it('throws FOLLOW_UP_NOT_FOUND for a queued follow-up and for another task', async () => {
    const queued = await enqueueFollowUp();
    const other = await fixture.enqueue();

    for (const id of [queued, other]) {
      await expect(retryFollowUp(deps, OPERATOR, id)).rejects.toThrow(NotFoundError);
      await expect(retryFollowUp(deps, OPERATOR, id)).rejects.toMatchObject({
        reason: 'FOLLOW_UP_NOT_FOUND',
      });
    }
    expect(await fixture.task(queued)).toMatchObject({ status: 'QUEUED', attempts: 0 });
  });
});
