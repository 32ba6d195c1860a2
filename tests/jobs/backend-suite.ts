import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/async/durations.js';
import { MAX_ATTEMPTS } from '../../src/database/outbox/retry-policy.js';
import { LEASE_MS } from '../../src/jobs/tasks/run-task.js';
import { waitUntil } from '../support/wait-until.js';
import {
  effectsOf,
  enqueueMany,
  inDatabase,
  openJobsWorld,
  outside,
  type Backend,
  type JobsWorld,
} from './jobs-world.js';

const CLOSING_MS = 2_000;
/** Longer than the relay leaves a task to those who were told of it. */
const OVERDUE_MS = 5_000;

/**
 * What jobs do, on whichever backend.
 *
 * The clock stands still unless a test moves it, so that the relay, which takes only what is overdue, stays out of what
 * Agenda is to do.
 */
export function describeJobsOn(backend: Backend): void {
  describe(`jobs on ${backend.backend}`, () => {
    let world: JobsWorld;
    beforeEach(async () => {
      world = await openJobsWorld(backend);
    });
    afterEach(() => world.close());

    it('runs a task once, however often it is told of it', async () => {
      const handler = outside();
      const jobs = await world.start([handler]);
      const id = await world.enqueue();

      jobs.dispatch([id]);
      jobs.dispatch([id, id]);
      await world.ends(id, 'DONE');
      jobs.dispatch([id]);
      const next = await world.enqueue();
      jobs.dispatch([next]);
      await world.ends(next, 'DONE');

      expect(handler.runs).toEqual([id, next]);
    });

    it('begins at once, and not only when Agenda looks next, once a second', async () => {
      const jobs = await world.start([outside()]);
      const begunAtMs = performance.now();

      for (let count = 1; count <= 10; count += 1) {
        const id = await world.enqueue();
        jobs.dispatch([id]);
        await world.ends(id, 'DONE');
      }

      expect(performance.now() - begunAtMs).toBeLessThan(5_000);
    });

    it('records what there was nothing to do for', async () => {
      const jobs = await world.start([outside(() => Promise.resolve('SKIPPED'))]);
      const id = await world.enqueue();

      jobs.dispatch([id]);

      await world.ends(id, 'SKIPPED');
    });

    it('runs at its start what was due before, without being told', async () => {
      const ids = await enqueueMany(world, 3);

      await world.start([inDatabase()]);

      await Promise.all(ids.map((id) => world.ends(id, 'DONE')));
    });

    it('finds a task whose process was killed before it could tell anyone', async () => {
      await world.start([inDatabase()]);
      const id = await world.enqueue();

      world.clock.advance(OVERDUE_MS);

      await world.ends(id, 'DONE');
      expect(await effectsOf(world, [id])).toEqual([1]);
    });

    it('tries a failing task again after growing pauses, and keeps it as FAILED with its last error', async () => {
      const handler = outside(() =>
        Promise.reject(new Error(`no. ${handler.runs.length} was refused by <zoe@mail.example>`)),
      );
      const jobs = await world.start([handler]);
      const id = await world.enqueue();
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        jobs.dispatch([id]);
        await waitUntil(
          `attempt ${attempt} failed`,
          async () => (await world.task(id)).lastError?.startsWith(`no. ${attempt} `) ?? false,
        );
        world.clock.advance(HOUR_MS);
      }

      expect(await world.task(id)).toMatchObject({
        status: 'FAILED',
        attempts: MAX_ATTEMPTS,
        lastError: 'no. 12 was refused by <…@…>',
      });
      expect(world.lines.filter(({ level }) => level === 'error')).toMatchObject([
        {
          fields: { taskId: id, task: 'sample', attempts: MAX_ATTEMPTS },
          message: expect.stringContaining('given up'),
        },
      ]);
      expect(JSON.stringify(world.lines)).not.toContain('zoe');
    });

    it('fails a task of unknown name for all to see', async () => {
      const jobs = await world.start([outside()]);
      const id = await world.enqueue({ name: 'unheard_of' });

      jobs.dispatch([id]);

      await waitUntil('it failed', async () => (await world.task(id)).lastError !== null);
      expect(await world.task(id)).toMatchObject({
        status: 'QUEUED',
        attempts: 1,
        lastError: 'No handler is known for tasks named unheard_of.',
      });
      expect(world.lines).toMatchObject([{ level: 'warn', fields: { taskId: id } }]);
    });

    it('undoes the effect of an attempt that fails', async () => {
      let refused = false;
      const handler = inDatabase(() =>
        refused ? Promise.resolve() : ((refused = true), Promise.reject(new Error('not yet'))),
      );
      const jobs = await world.start([handler]);
      const id = await world.enqueue();
      jobs.dispatch([id]);
      await waitUntil('it failed', async () => (await world.task(id)).lastError === 'not yet');
      expect(await effectsOf(world, [id])).toEqual([0]);

      world.clock.advance(HOUR_MS);
      jobs.dispatch([id]);

      await world.ends(id, 'DONE');
      expect(await effectsOf(world, [id])).toEqual([1]);
    });

    it('gives every task one effect, whichever of two workers takes it', async () => {
      const [one, other] = [inDatabase(), inDatabase()];
      const workers = [await world.start([one]), await world.start([other])];
      const ids = await enqueueMany(world, 60);

      for (const id of ids)
        workers.forEach((worker) => {
          worker.dispatch([id]);
        });
      world.clock.advance(OVERDUE_MS);
      await Promise.all(ids.map((id) => world.ends(id, 'DONE')));

      expect([...one.runs, ...other.runs].toSorted()).toEqual(ids.toSorted());
      expect(new Set(await effectsOf(world, ids))).toEqual(new Set([1]));
    });

    it('fences off a worker that takes longer than its lease', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      const slow = inDatabase(async () => {
        await released;
      });
      const jobs = await world.start([slow]);
      const id = await world.enqueue();
      jobs.dispatch([id]);
      await waitUntil('the slow worker is at it', () => slow.runs.length === 1);

      world.clock.advance(LEASE_MS + OVERDUE_MS);
      await world.start([inDatabase()]);
      await world.ends(id, 'DONE');
      release(undefined);

      await waitUntil('the slow worker saw that it was overtaken', () =>
        world.lines.some(({ message }) => message.includes('too late')),
      );
      expect(await effectsOf(world, [id])).toEqual([1]);
      expect(await world.task(id)).toMatchObject({ status: 'DONE', attempts: 2 });
    });

    it('goes on after the database has ended every connection', async () => {
      const jobs = await world.start([inDatabase()]);
      for (let restart = 1; restart <= 3; restart += 1) {
        await world.cutConnections();
        const id = await world.enqueue();
        await waitUntil('it was run', async () => {
          jobs.dispatch([id]);
          return (await world.task(id)).status === 'DONE';
        });
        await jobs.checkHealth();
      }
    });

    it('stops when what runs has ended, takes nothing more, and leaves no connection open', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      const handler = inDatabase(async () => {
        await released;
      });
      const jobs = await world.start([handler]);
      const [running, late] = [await world.enqueue(), await world.enqueue()];
      jobs.dispatch([running]);
      await waitUntil('it runs', () => handler.runs.length === 1);

      const stopped = jobs.stop();
      jobs.dispatch([late]);
      release(undefined);
      await stopped;

      expect(await world.task(running)).toMatchObject({ status: 'DONE' });
      expect(await world.task(late)).toMatchObject({ status: 'QUEUED', attempts: 0 });
      // A backend takes a moment to end after its connection was closed.
      await waitUntil(
        'no connection is open',
        async () => {
          const { rows } = await world.database.pool.query(
            `
            select query from pg_stat_activity
            where datname = current_database() and application_name like 'convene%jobs'`,
          );
          return rows.length === 0;
        },
        CLOSING_MS,
      );
    });
  });
}
