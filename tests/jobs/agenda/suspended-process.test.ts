import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { JobNotifications } from '../../../src/jobs/agenda/job-notifications.js';
import { postgresStorage } from '../../../src/jobs/agenda/job-storage.js';
import { type JobsPool, openJobsPool } from '../../../src/jobs/agenda/jobs-pool.js';
import { type RunningAgenda, startAgenda } from '../../../src/jobs/agenda/start-agenda.js';
import { watchOutage } from '../../../src/jobs/outage.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

/** So many jobs does a process lock at most, for so long. */
const LOCK_LIMIT = 100;
const LOCK_LIFETIME_MS = 1_000;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

let database: TestDatabase;
let jobsPool: JobsPool;

beforeEach(async () => {
  database = await createTestDatabase();
  jobsPool = openJobsPool(database.url, () => undefined);
});
afterEach(async () => {
  await jobsPool.close();
  await database.drop();
});

/** @param onLocked is called with the number of jobs that the process has locked so far */
async function start(onDue: (taskIds: readonly string[]) => void, onLocked: (count: number) => void): Promise<RunningAgenda> {
  const storage = await postgresStorage(jobsPool.pool);
  const lock = storage.repository.getNextJobToRun.bind(storage.repository);
  let count = 0;
  storage.repository.getNextJobToRun = async (...args) => {
    const job = await lock(...args);
    if (job !== undefined) onLocked((count += 1));
    return job;
  };
  const notifications = new JobNotifications(database.url, jobsPool.pool);
  return startAgenda({ storage, notifications, workerName: 'sleeper', onDue, outage: watchOutage(LOG, 'Agenda') });
}

function suspendProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a process that was suspended until the locks of all jobs that waited in it ran out', () => {
  it('takes those jobs and others afterwards', async () => {
    const taskIds = Array.from({ length: LOCK_LIMIT + 20 }, () => randomUUID());
    await jobsPool.pool.query(
      `insert into agenda_jobs (name, next_run_at, data)
       select 'outbox-tasks', now() - interval '1 minute', jsonb_build_object('taskIds', jsonb_build_array(id)) from unnest($1::text[]) id`,
      [taskIds],
    );
    const due = new Set<string>();

    const agenda = await start(
      (ids) => { ids.forEach((id) => due.add(id)); },
      (count) => { if (count === LOCK_LIMIT) suspendProcess(LOCK_LIFETIME_MS + 200); },
    );

    await until('every job was taken', () => due.size === taskIds.length);
    await agenda.stop();
  });
});
