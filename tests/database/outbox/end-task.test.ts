import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../../src/async/durations.js';
import { inTransaction } from '../../../src/database/index.js';
import { claimTasks, type ClaimedTask } from '../../../src/database/outbox/claim-tasks.js';
import { completeInTransaction, completeTasks, LeaseLostError } from '../../../src/database/outbox/complete-tasks.js';
import { failTask } from '../../../src/database/outbox/fail-task.js';
import { MAX_ATTEMPTS } from '../../../src/database/outbox/retry-policy.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { waitUntil } from '../../support/wait-until.js';
import { createOutboxFixture, type OutboxFixture } from './outbox-fixture.js';

const LEASE_MS = 60_000;
const MAX_DELAY_MS = HOUR_MS;
let fixture: OutboxFixture;

beforeAll(async () => {
  fixture = await createOutboxFixture();
});
afterAll(() => fixture.close());

async function claim(id: string): Promise<ClaimedTask> {
  const [claimed] = await claimTasks(fixture.database, [id], fixture.clock.now(), LEASE_MS);
  if (claimed === undefined) throw new Error('not due');
  return claimed;
}

/** Two attempts at one task, of which the first has lost its lease to the second. */
async function loseLease(): Promise<{ first: ClaimedTask; second: ClaimedTask }> {
  const first = await claim(await fixture.enqueue());
  fixture.clock.advance(LEASE_MS);
  return { first, second: await claim(first.id) };
}

describe('completeTasks', () => {
  it.each(['DONE', 'SKIPPED'] as const)('completes a task as %s', async (status) => {
    const task = await claim(await fixture.enqueue());

    await completeTasks(fixture.database, [{ ...task, status }], fixture.clock.now());

    expect(await fixture.task(task.id)).toMatchObject({
      status,
      dueAt: null,
      finishedAt: fixture.clock.now(),
      lastError: null,
    });
  });

  it('completes the tasks whose lease is not lost, and no task twice', async () => {
    const { first, second } = await loseLease();
    const other = await claim(await fixture.enqueue());
    const complete = async (tasks: readonly ClaimedTask[]): Promise<string[]> => {
      const completions = tasks.map((task) => ({ ...task, status: 'DONE' as const }));
      return (await completeTasks(fixture.database, completions, fixture.clock.now())).map(({ id }) => id);
    };

    expect(await complete([first, other])).toEqual([other.id]);
    expect(await complete([second, other])).toEqual([second.id]);
  });

  it('completes tasks in two orders concurrently without a deadlock', async () => {
    const tasks = await Promise.all(Array.from({ length: 20 }, async () => claim(await fixture.enqueue())));
    const completions = tasks.map((task) => ({ ...task, status: 'DONE' as const }));

    const completed = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        completeTasks(fixture.database, index % 2 === 0 ? completions : completions.toReversed(), fixture.clock.now()),
      ),
    );

    expect(completed.flat()).toHaveLength(tasks.length);
  });

  it('locks tasks in the order of their ids, whatever the order of the completions and of the rows', async () => {
    const ids = [await fixture.enqueue(), await fixture.enqueue()];
    const [second, first] = [await claim(ids[1]!), await claim(ids[0]!)];
    const completions = [second, first].map((task) => ({ ...task, status: 'DONE' as const }));
    let completing: Promise<unknown> | undefined;
    await inTransaction(fixture.database, async (em) => {
      await em.execute('select from outbox_task where id = ? for update', [first.id]);
      completing = completeTasks(fixture.database, completions, fixture.clock.now());
      await waitUntil('the completion waits', () => isLockAwaited(fixture.database));
      expect(await em.execute('select id from outbox_task where id = ? for update skip locked', [second.id])).toEqual([
        { id: second.id },
      ]);
    });
    await expect(completing).resolves.toHaveLength(2);
  });
});

describe('completeInTransaction', () => {
  it('throws LeaseLostError, which rolls back the effect, when another attempt has the lease', async () => {
    const { first, second } = await loseLease();
    const effect = (task: ClaimedTask) =>
      inTransaction(fixture.database, async (em) => {
        await em.execute("insert into account_event values (gen_random_uuid(), 'user.registered', ?, now())", [
          task.id,
        ]);
        await completeInTransaction(em, task, 'DONE', fixture.clock.now());
      });

    await expect(effect(first)).rejects.toThrow(LeaseLostError);
    await effect(second);
    await expect(effect(first)).rejects.toThrow(LeaseLostError);

    const { rowCount } = await fixture.database.pool.query('select from account_event where user_id = $1', [first.id]);
    expect(rowCount).toBe(1);
    expect(await fixture.task(first.id)).toMatchObject({ status: 'DONE', attempts: 2 });
  });

  it('throws LeaseLostError when the account of the task was deleted', async () => {
    const userId = await fixture.register();
    const task = await claim(await fixture.enqueueFollowUp(userId));
    await fixture.database.pool.query('delete from account where id = $1', [userId]);

    const complete = inTransaction(fixture.database, (em) =>
      completeInTransaction(em, task, 'DONE', fixture.clock.now()),
    );
    await expect(complete).rejects.toThrow(LeaseLostError);
  });
});

describe('failTask', () => {
  it('stores the reason and delays the next attempt, longer each time, up to an hour', async () => {
    const id = await fixture.enqueue();
    const delaysMs: number[] = [];
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      const failed = await failTask(fixture.database, await claim(id), `no ${attempt}`, fixture.clock.now());
      const delayMs = (failed?.dueAt?.getTime() ?? 0) - fixture.clock.now().getTime();
      expect(await fixture.task(id)).toMatchObject({
        status: 'QUEUED',
        attempts: attempt,
        lastError: `no ${attempt}`,
        dueAt: failed?.dueAt,
      });
      fixture.clock.advance(delayMs);
      delaysMs.push(delayMs);
    }

    delaysMs.forEach((delayMs, index) => {
      const nominalMs = Math.min(10_000 * 2 ** index, MAX_DELAY_MS);
      expect(delayMs).toBeLessThanOrEqual(nominalMs);
      expect(delayMs).toBeGreaterThanOrEqual(nominalMs * 0.8);
    });

    expect(await failTask(fixture.database, await claim(id), 'the last', fixture.clock.now())).toEqual({
      status: 'FAILED',
      dueAt: null,
    });
    expect(await fixture.task(id)).toMatchObject({
      status: 'FAILED',
      attempts: MAX_ATTEMPTS,
      lastError: 'the last',
      finishedAt: fixture.clock.now(),
    });
  });

  it('fails the task after its first attempt when the failure is permanent', async () => {
    const id = await fixture.enqueue();
    const failed = await failTask(fixture.database, await claim(id), 'no mailbox', fixture.clock.now(), true);
    expect(failed).toEqual({ status: 'FAILED', dueAt: null });
    expect(await fixture.task(id)).toMatchObject({ status: 'FAILED', attempts: 1, lastError: 'no mailbox' });
  });

  it('changes nothing when another attempt has the lease', async () => {
    const { first, second } = await loseLease();

    expect(await failTask(fixture.database, first, 'too late', fixture.clock.now())).toBeNull();

    expect(await fixture.task(first.id)).toMatchObject({ status: 'RUNNING', attempts: second.attempts });
  });
});
