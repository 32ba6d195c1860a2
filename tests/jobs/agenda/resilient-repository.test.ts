import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobRepository } from 'agenda';
import { createHealthMonitor, type HealthMonitor } from '../../../src/async/health-monitor.js';
import { redactErrorMessage } from '../../../src/database/errors/redact-error.js';
import { postgresStorage } from '../../../src/jobs/agenda/job-storage.js';
import { openJobsPool, type JobsPool } from '../../../src/jobs/agenda/jobs-pool.js';
import { PostgresNotificationChannel } from '../../../src/jobs/agenda/postgres-notification-channel.js';
import { startAgenda, type RunningAgenda } from '../../../src/jobs/agenda/start-agenda.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { waitUntil } from '../../support/wait-until.js';

/** So many jobs does a process lock at most, for so long. */
const LOCK_LIMIT = 100;
const LOCK_LIFETIME_MS = 1_000;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let jobsPool: JobsPool;
let outage: HealthMonitor;

beforeEach(async () => {
  outage = createHealthMonitor(LOG, 'Agenda', redactErrorMessage);
  database = await createTestDatabase();
  jobsPool = openJobsPool(database.url, () => undefined);
});
afterEach(async () => {
  await jobsPool.close();
  await database.drop();
});

/** @param spoil changes how the storage behaves */
async function start(
  onDue: (taskIds: readonly string[]) => void,
  spoil: (repository: JobRepository) => void,
): Promise<RunningAgenda> {
  const storage = await postgresStorage(jobsPool.pool);
  spoil(storage.repository);
  const notifications = new PostgresNotificationChannel(database.url, jobsPool.pool);
  return startAgenda({ storage, notifications, workerName: 'worker', onDue, health: outage });
}

/** Calls back with the number of jobs that the process has locked so far. */
function countLocks(repository: JobRepository, onLocked: (count: number) => void): void {
  const lock = repository.getNextJobToRun.bind(repository);
  let count = 0;
  repository.getNextJobToRun = async (...args) => {
    const job = await lock(...args);
    if (job !== undefined) onLocked((count += 1));
    return job;
  };
}

function suspendProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a process that was suspended until the locks of all jobs that waited in it ran out', () => {
  it('takes those jobs and others afterwards', async () => {
    const taskIds = Array.from({ length: LOCK_LIMIT + 20 }, () => randomUUID());
    await jobsPool.pool.query(
      `insert into agenda_jobs (name, next_run_at, data)
       select 'outbox-tasks', now() - interval '1 minute', jsonb_build_object('taskIds', jsonb_build_array(id))
       from unnest($1::text[]) id`,
      [taskIds],
    );
    const due = new Set<string>();

    const agenda = await start(
      (ids) => {
        ids.forEach((id) => due.add(id));
      },
      (repository) => {
        countLocks(repository, (count) => {
          if (count === LOCK_LIMIT) suspendProcess(LOCK_LIFETIME_MS + 200);
        });
      },
    );

    await waitUntil('every job was taken', () => due.size === taskIds.length);
    await agenda.stop();
  });
});

describe('a job that cannot be unlocked', () => {
  it('is an outage, and not the end of the process', async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown) => {
      unhandled.push(reason);
    };
    process.on('unhandledRejection', hear);
    // Left behind by a killed process and not due for long: Agenda takes it up, sees that, and lets it go.
    await jobsPool.pool.query(
      `
      insert into agenda_jobs (name, next_run_at, locked_at)
      values ('outbox-tasks', now() + interval '1 hour', now() - interval '1 hour')`,
    );

    const agenda = await start(
      () => undefined,
      (repository) => {
        repository.unlockJob = () => Promise.reject(new Error('the storage is away'));
      },
    );
    await waitUntil('it is known', () => outage.lastError() !== null);
    await agenda.stop();
    process.off('unhandledRejection', hear);

    expect(outage.lastError()).toBe('the storage is away');
    expect(unhandled).toEqual([]);
  });
});
