import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../../src/async/durations.js';
import { inTransaction } from '../../../src/database/index.js';
import { claimTask, type ClaimedTask } from '../../../src/database/outbox/claim-task.js';
import { completeTask, LeaseLostError } from '../../../src/database/outbox/complete-task.js';
import { failTask } from '../../../src/database/outbox/fail-task.js';
import { MAX_ATTEMPTS } from '../../../src/database/outbox/retry-policy.js';
import { openOutboxWorld, type OutboxWorld } from './outbox-world.js';

const LEASE_MS = 60_000;
const LONGEST_PAUSE_MS = HOUR_MS;
let world: OutboxWorld;

beforeAll(async () => {
  world = await openOutboxWorld();
});
afterAll(() => world.close());

async function claim(id: string): Promise<ClaimedTask> {
  const claimed = await claimTask(world.database, id, world.clock.now(), LEASE_MS);
  if (claimed === null) throw new Error('not due');
  return claimed;
}

/** Two attempts at one task, of which the first has lost its lease to the second. */
async function overtaken(): Promise<{ first: ClaimedTask; second: ClaimedTask }> {
  const first = await claim(await world.enqueue());
  world.clock.advance(LEASE_MS);
  return { first, second: await claim(first.id) };
}

describe('completing a task', () => {
  it.each(['DONE', 'SKIPPED'] as const)('ends it as %s', async (status) => {
    const task = await claim(await world.enqueue());

    await completeTask(world.database.fork(), task, status, world.clock.now());

    expect(await world.task(task.id)).toMatchObject({
      status,
      dueAt: null,
      finishedAt: world.clock.now(),
      lastError: null,
    });
  });

  it('undoes the effect of an attempt that was overtaken', async () => {
    const { first, second } = await overtaken();
    const effect = (task: ClaimedTask) =>
      inTransaction(world.database, async (em) => {
        await em.execute("insert into account_event values (gen_random_uuid(), 'user.registered', ?, now())", [
          task.id,
        ]);
        await completeTask(em, task, 'DONE', world.clock.now());
      });

    await expect(effect(first)).rejects.toThrow(LeaseLostError);
    await effect(second);
    await expect(effect(first)).rejects.toThrow(LeaseLostError);

    const { rowCount } = await world.database.pool.query('select from account_event where user_id = $1', [first.id]);
    expect(rowCount).toBe(1);
    expect(await world.task(first.id)).toMatchObject({ status: 'DONE', attempts: 2 });
  });

  it('does not end a task whose account was deleted meanwhile', async () => {
    const userId = await world.register();
    const task = await claim(await world.enqueue({ registeredUserId: userId }));
    await world.database.pool.query('delete from account where id = $1', [userId]);

    await expect(completeTask(world.database.fork(), task, 'DONE', world.clock.now())).rejects.toThrow(LeaseLostError);
  });
});

describe('failing a task', () => {
  it('keeps the reason and lets it wait, longer each time, but never longer than an hour', async () => {
    const id = await world.enqueue();
    const pausesMs: number[] = [];
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      const failed = await failTask(world.database, await claim(id), `no ${attempt}`, world.clock.now());
      const pauseMs = (failed?.dueAt?.getTime() ?? 0) - world.clock.now().getTime();
      expect(await world.task(id)).toMatchObject({
        status: 'QUEUED',
        attempts: attempt,
        lastError: `no ${attempt}`,
        dueAt: failed?.dueAt,
      });
      world.clock.advance(pauseMs);
      pausesMs.push(pauseMs);
    }

    pausesMs.forEach((pauseMs, index) => {
      const nominalMs = Math.min(10_000 * 2 ** index, LONGEST_PAUSE_MS);
      expect(pauseMs).toBeLessThanOrEqual(nominalMs);
      expect(pauseMs).toBeGreaterThanOrEqual(nominalMs * 0.8);
    });

    expect(await failTask(world.database, await claim(id), 'the last', world.clock.now())).toEqual({
      status: 'FAILED',
      dueAt: null,
    });
    expect(await world.task(id)).toMatchObject({
      status: 'FAILED',
      attempts: MAX_ATTEMPTS,
      lastError: 'the last',
      finishedAt: world.clock.now(),
    });
  });

  it('changes nothing for an attempt that was overtaken', async () => {
    const { first, second } = await overtaken();

    expect(await failTask(world.database, first, 'too late', world.clock.now())).toBeNull();

    expect(await world.task(first.id)).toMatchObject({ status: 'RUNNING', attempts: second.attempts });
  });
});
