import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { inTransaction } from '../../../src/database/index.js';
import { claimTasks, type ClaimedTask } from '../../../src/database/outbox/claim-tasks.js';
import { MAX_ATTEMPTS } from '../../../src/database/outbox/retry-policy.js';
import { createOutboxFixture, type OutboxFixture } from './outbox-fixture.js';

const LEASE_MS = 60_000;
let fixture: OutboxFixture;

beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());

async function claim(id: string): Promise<ClaimedTask | null> {
  return (await claimAll([id]))[0] ?? null;
}

function claimAll(ids: readonly string[]): Promise<ClaimedTask[]> {
  return claimTasks(fixture.database, ids, fixture.clock.now(), LEASE_MS);
}

describe('claimTasks', () => {
  it('claims the due ones of several tasks', async () => {
    const later = await fixture.enqueue({ dueAt: fixture.clock.in(1) });
    const [first, second] = [await fixture.enqueue(), await fixture.enqueue()];

    const claimed = await claimAll([second, later, uuidv7(), first]);

    expect(claimed.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
    expect(await fixture.task(later)).toMatchObject({ status: 'QUEUED', attempts: 0 });
  });

  it('gives each of several tasks to one of many concurrent workers, without a deadlock', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => fixture.enqueue()));

    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, index) => claimAll(index % 2 === 0 ? ids : ids.toReversed())),
    );

    expect(
      claims
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  it('leaves out a task that another statement has locked, without a wait', async () => {
    const [locked, free] = [await fixture.enqueue(), await fixture.enqueue()];
    await inTransaction(fixture.database, async (em) => {
      await em.execute('select from outbox_task where id = ? for update', [locked]);
      expect((await claimAll([locked, free])).map(({ id }) => id)).toEqual([free]);
    });
    expect((await claimAll([locked, free])).map(({ id }) => id)).toEqual([locked]);
  });

  it('claims a due task and counts the attempt', async () => {
    const id = await fixture.enqueue({ name: 'greet', payload: { userId: 'u', issue: 2 } });

    expect(await claim(id)).toEqual({
      id,
      name: 'greet',
      payload: { userId: 'u', issue: 2 },
      attempts: 1,
      status: 'RUNNING',
    });

    const leasedUntil = new Date(fixture.clock.now().getTime() + LEASE_MS);
    expect(await fixture.task(id)).toMatchObject({
      status: 'RUNNING',
      attempts: 1,
      dueAt: leasedUntil,
      finishedAt: null,
    });
  });

  it('returns null for a task that is not due, and for an unknown id', async () => {
    const id = await fixture.enqueue();
    fixture.clock.advance(-1);

    expect(await claim(id)).toBeNull();
    expect(await claim(uuidv7())).toBeNull();
    fixture.clock.advance(1);
  });

  it('gives a task to one of many concurrent workers', async () => {
    const id = await fixture.enqueue();

    const claims = await Promise.all(Array.from({ length: 30 }, () => claim(id)));

    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    expect(await fixture.task(id)).toMatchObject({ attempts: 1 });
  });

  it('claims a task again when its lease has expired, and stores the reason', async () => {
    const id = await fixture.enqueue();
    await claim(id);
    fixture.clock.advance(LEASE_MS - 1);
    expect(await claim(id)).toBeNull();

    fixture.clock.advance(1);

    expect(await claim(id)).toMatchObject({ attempts: 2, status: 'RUNNING' });
    expect(await fixture.task(id)).toMatchObject({ lastError: expect.stringContaining('ended, or took too long') });
  });

  it('fails a task whose process ends during every attempt', async () => {
    const id = await fixture.enqueue();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(await claim(id)).toMatchObject({ attempts: attempt, status: 'RUNNING' });
      fixture.clock.advance(LEASE_MS);
    }

    expect(await claim(id)).toMatchObject({ attempts: MAX_ATTEMPTS, status: 'FAILED' });

    expect(await fixture.task(id)).toMatchObject({ status: 'FAILED', dueAt: null, finishedAt: fixture.clock.now() });
    expect(await claim(id)).toBeNull();
  });
});
