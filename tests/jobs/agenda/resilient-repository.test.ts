import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobRepository } from 'agenda';
import { createHealthMonitor, type HealthMonitor } from '../../../src/async/health-monitor.js';
import { redactErrorMessage } from '../../../src/database/errors/redact-error.js';
import { openJobsPool, type JobsPool } from '../../../src/jobs/agenda/jobs-pool.js';
import { openPostgresJobStorage } from '../../../src/jobs/agenda/postgres-job-storage.js';
import { PostgresNotificationChannel } from '../../../src/jobs/agenda/postgres-notification-channel.js';
import { startAgenda, type RunningAgenda } from '../../../src/jobs/agenda/start-agenda.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { waitUntil } from '../../support/wait-until.js';

/** Limits of `startAgenda`. */
const LOCK_LIMIT = 100;
const LOCK_LIFETIME_MS = 1_000;
const FAILING = randomUUID();
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let jobsPool: JobsPool;
let health: HealthMonitor;

beforeEach(async () => {
  health = createHealthMonitor(LOG, 'Agenda', redactErrorMessage);
  database = await createTestDatabase();
  jobsPool = openJobsPool({ url: database.url }, () => undefined);
});
afterEach(async () => {
  await jobsPool.close();
  await database.drop();
});

/** @param sabotage changes the behaviour of the storage */
async function start(
  onDue: (taskIds: readonly string[]) => void,
  sabotage: (repository: JobRepository) => void,
): Promise<RunningAgenda> {
  const storage = openPostgresJobStorage(jobsPool.pool);
  sabotage(storage.repository);
  const notifications = new PostgresNotificationChannel({ url: database.url }, jobsPool.pool);
  return startAgenda({ storage, notifications, workerName: 'worker', onDue, health });
}

/** @param onLocked called with the number of jobs that the process has locked so far */
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

describe('createResilientRepository', () => {
  it('lets a process that was suspended until its locks expired run those and other jobs', async () => {
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

    await waitUntil('every job has run', () => due.size === taskIds.length);
    await agenda.stop();
  });

  it('reports the failure to unlock a job, without an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const record = (reason: unknown) => {
      unhandled.push(reason);
    };
    process.on('unhandledRejection', record);
    // The expired lock of a killed process on a job that is due later: Agenda locks the job and then unlocks it.
    await jobsPool.pool.query(
      `
      insert into agenda_jobs (name, next_run_at, locked_at)
      values ('outbox-tasks', now() + interval '1 hour', now() - interval '1 hour')`,
    );

    const agenda = await start(
      () => undefined,
      (repository) => {
        repository.unlockJob = () => Promise.reject(new Error('the storage is unreachable'));
      },
    );
    await waitUntil('the failure is reported', () => health.lastError() !== null);
    await agenda.stop();
    process.off('unhandledRejection', record);

    expect(health.lastError()).toBe('the storage is unreachable');
    expect(unhandled).toEqual([]);
  });

  it('saves the state of a failed job only, and removes a job that has run', async () => {
    const saved: string[] = [];
    const agenda = await start(
      ([taskId]) => {
        if (taskId === FAILING) throw new Error('cannot be submitted');
      },
      (repository) => {
        const save = repository.saveJobState.bind(repository);
        repository.saveJobState = (job, options) => {
          saved.push(job.failReason ?? 'not failed');
          return save(job, options);
        };
      },
    );
    await agenda.schedule([randomUUID()], new Date());
    await agenda.schedule([FAILING], new Date());

    await waitUntil('one job is removed and the other is unlocked', async () => {
      const { rows } = await jobsPool.pool.query<{ reason: string | null; locked: boolean }>(
        'select fail_reason as reason, locked_at is not null as locked from agenda_jobs',
      );
      return rows.length === 1 && rows[0]?.reason === 'cannot be submitted' && !rows[0].locked;
    });
    await agenda.stop();

    expect(saved).toEqual(['cannot be submitted']);
  });
});
