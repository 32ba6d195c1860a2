import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HOUR_MS } from '../../src/async/durations.js';
import { MAX_ATTEMPTS } from '../../src/database/outbox/retry-policy.js';
import { LEASE_MS } from '../../src/jobs/tasks/run-task.js';
import { waitUntil } from '../support/wait-until.js';
import {
  countEffects,
  createJobsFixture,
  enqueueTasks,
  externalEffectHandler,
  transactionalHandler,
  type Backend,
  type JobsFixture,
} from './jobs-fixture.js';

const CLOSE_TIMEOUT_MS = 2_000;
/** Longer than the relay leaves a due task to its dispatch. */
const OVERDUE_MS = 5_000;

/**
 * Declares the tests of jobs on one backend.
 *
 * The clock advances only when a test moves it. The relay, which finds only overdue tasks, therefore runs no task that
 * Agenda dispatches.
 *
 * @param mongodbUri called before each test
 */
export function describeJobs(backend: Backend['backend'], mongodbUri: () => string | null = () => null): void {
  describe(`jobs on ${backend}`, () => {
    let fixture: JobsFixture;
    beforeEach(async () => {
      fixture = await createJobsFixture({ backend, mongodbUri: mongodbUri() });
    });
    afterEach(async () => {
      await fixture.close();
      jest.useRealTimers();
    });

    it('runs a task once when it is dispatched several times', async () => {
      const handler = externalEffectHandler();
      const jobs = await fixture.start([handler]);
      const id = await fixture.enqueue();

      jobs.dispatch([id]);
      jobs.dispatch([id, id]);
      await fixture.waitForStatus(id, 'DONE');
      jobs.dispatch([id]);
      const next = await fixture.enqueue();
      jobs.dispatch([next]);
      await fixture.waitForStatus(next, 'DONE');

      expect(handler.runs).toEqual([id, next]);
    });

    it('runs a dispatched task without a poll of Agenda', async () => {
      stopPolls();
      const jobs = await fixture.start([externalEffectHandler()]);

      for (let count = 1; count <= 10; count += 1) {
        const id = await fixture.enqueue();
        jobs.dispatch([id]);
        await fixture.waitForStatus(id, 'DONE');
      }
    });

    it('records SKIPPED when the handler returns it', async () => {
      const jobs = await fixture.start([externalEffectHandler(() => Promise.resolve('SKIPPED'))]);
      const id = await fixture.enqueue();

      jobs.dispatch([id]);

      await fixture.waitForStatus(id, 'SKIPPED');
    });

    it('runs tasks at its start that were due before, without a dispatch', async () => {
      const ids = await enqueueTasks(fixture, 3);

      await fixture.start([transactionalHandler()]);

      await Promise.all(ids.map((id) => fixture.waitForStatus(id, 'DONE')));
    });

    it('runs an overdue task that was never dispatched', async () => {
      await fixture.start([transactionalHandler()]);
      const id = await fixture.enqueue();

      fixture.clock.advance(OVERDUE_MS);

      await fixture.waitForStatus(id, 'DONE');
      expect(await countEffects(fixture, [id])).toEqual([1]);
    });

    it('retries a failing task until its last attempt, and records FAILED with the redacted error', async () => {
      const handler = externalEffectHandler(() =>
        Promise.reject(new Error(`no. ${handler.runs.length} was refused by <zoe@mail.example>`)),
      );
      const jobs = await fixture.start([handler]);
      const id = await fixture.enqueue();
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        jobs.dispatch([id]);
        await waitUntil(
          `attempt ${attempt} failed`,
          async () => (await fixture.task(id)).lastError?.startsWith(`no. ${attempt} `) ?? false,
        );
        fixture.clock.advance(HOUR_MS);
      }

      expect(await fixture.task(id)).toMatchObject({
        status: 'FAILED',
        attempts: MAX_ATTEMPTS,
        lastError: 'no. 12 was refused by <…@…>',
      });
      expect(fixture.lines.filter(({ level }) => level === 'error')).toMatchObject([
        {
          fields: { taskId: id, task: 'sample', attempts: MAX_ATTEMPTS },
          message: 'Task failed permanently after its last attempt',
        },
      ]);
      expect(JSON.stringify(fixture.lines)).not.toContain('zoe');
    });

    it('records and logs the failure of a task without a handler', async () => {
      const jobs = await fixture.start([externalEffectHandler()]);
      const id = await fixture.enqueue({ name: 'unknown_name' });

      jobs.dispatch([id]);

      await waitUntil('the attempt failed', async () => (await fixture.task(id)).lastError !== null);
      expect(await fixture.task(id)).toMatchObject({
        status: 'QUEUED',
        attempts: 1,
        lastError: 'No handler for tasks named unknown_name',
      });
      expect(fixture.lines).toMatchObject([{ level: 'warn', fields: { taskId: id } }]);
    });

    it('rolls back the database effect of a failed attempt', async () => {
      let hasFailed = false;
      const handler = transactionalHandler(() =>
        hasFailed ? Promise.resolve() : ((hasFailed = true), Promise.reject(new Error('not yet'))),
      );
      const jobs = await fixture.start([handler]);
      const id = await fixture.enqueue();
      jobs.dispatch([id]);
      await waitUntil('the attempt failed', async () => (await fixture.task(id)).lastError === 'not yet');
      expect(await countEffects(fixture, [id])).toEqual([0]);

      fixture.clock.advance(HOUR_MS);
      jobs.dispatch([id]);

      await fixture.waitForStatus(id, 'DONE');
      expect(await countEffects(fixture, [id])).toEqual([1]);
    });

    it('produces one effect per task when two workers run concurrently', async () => {
      const [one, other] = [transactionalHandler(), transactionalHandler()];
      const workers = [await fixture.start([one]), await fixture.start([other])];
      const ids = await enqueueTasks(fixture, 60);

      for (const id of ids)
        workers.forEach((worker) => {
          worker.dispatch([id]);
        });
      fixture.clock.advance(OVERDUE_MS);
      await Promise.all(ids.map((id) => fixture.waitForStatus(id, 'DONE')));

      expect([...one.runs, ...other.runs].toSorted()).toEqual(ids.toSorted());
      expect(new Set(await countEffects(fixture, ids))).toEqual(new Set([1]));
    });

    it('rejects the effect of a worker whose lease has expired', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      const slow = transactionalHandler(async () => {
        await released;
      });
      const jobs = await fixture.start([slow]);
      const id = await fixture.enqueue();
      jobs.dispatch([id]);
      await waitUntil('the slow worker runs the task', () => slow.runs.length === 1);

      fixture.clock.advance(LEASE_MS + OVERDUE_MS);
      await fixture.start([transactionalHandler()]);
      await fixture.waitForStatus(id, 'DONE');
      release(undefined);

      await waitUntil('the slow worker has lost its lease', () =>
        fixture.lines.some(({ message }) => message.startsWith('Task lease lost')),
      );
      expect(await countEffects(fixture, [id])).toEqual([1]);
      expect(await fixture.task(id)).toMatchObject({ status: 'DONE', attempts: 2 });
    });

    it('continues after the database has ended every connection', async () => {
      const jobs = await fixture.start([transactionalHandler()]);
      for (let restart = 1; restart <= 3; restart += 1) {
        await fixture.terminateConnections();
        const id = await fixture.enqueue();
        await waitUntil('the task is DONE', async () => {
          jobs.dispatch([id]);
          return (await fixture.task(id)).status === 'DONE';
        });
        await jobs.checkHealth();
      }
    });

    it('waits for running tasks when it stops, starts no other, and closes every connection', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
      const handler = transactionalHandler(async () => {
        await released;
      });
      const jobs = await fixture.start([handler]);
      const [running, later] = [await fixture.enqueue(), await fixture.enqueue()];
      jobs.dispatch([running]);
      await waitUntil('the task runs', () => handler.runs.length === 1);

      const stopped = jobs.stop();
      jobs.dispatch([later]);
      release(undefined);
      await stopped;

      expect(await fixture.task(running)).toMatchObject({ status: 'DONE' });
      expect(await fixture.task(later)).toMatchObject({ status: 'QUEUED', attempts: 0 });
      // A server process ends shortly after its connection was closed.
      await waitUntil(
        'no connection is open',
        async () => {
          const { rows } = await fixture.database.pool.query(
            `
            select query from pg_stat_activity
            where datname = current_database() and application_name like 'convene%jobs'`,
          );
          return rows.length === 0;
        },
        CLOSE_TIMEOUT_MS,
      );
    });
  });
}

/** Replaces `setInterval`, which Agenda polls with. Its other timers and those of the drivers stay real. */
function stopPolls(): void {
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'clearImmediate',
      'clearTimeout',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setTimeout',
    ],
  });
}
