import { createHealthMonitor } from '../async/health-monitor.js';
import { redactErrorMessage } from '../database/errors/redact-error.js';
import { openJobsPool } from './agenda/jobs-pool.js';
import { openJobStorage } from './agenda/open-job-storage.js';
import { startTaskScheduler } from './agenda/task-scheduler.js';
import type { Jobs, JobsOptions } from './jobs.js';
import { startOutboxRelay } from './tasks/outbox-relay.js';
import { createTaskRun } from './tasks/run-task.js';
import { startTaskRunner } from './tasks/task-runner.js';

/**
 * `stop` waits this long for running handlers. Other workers claim interrupted tasks after their leases have expired.
 */
const STOP_TIMEOUT_MS = 4_000;

/**
 * Starts to run the tasks of the outbox. Agenda schedules their dispatch, the runner makes the attempts, and the relay
 * finds tasks whose dispatch was lost. Only the outbox records their state.
 *
 * Resolves after the first attempt to reach the backend. After a failure, the attempts continue in the background.
 *
 * @throws OperatorError when the URI of the MongoDB server is missing or invalid
 */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { database, databaseUrl, clock, log, workerName } = options;
  const outbox = createHealthMonitor(log, 'The outbox', redactErrorMessage);
  const agenda = createHealthMonitor(log, 'Agenda', redactErrorMessage);
  const runTask = createTaskRun({ ...options, dispatchAfter });
  const runner = startTaskRunner((taskId) => runTask(taskId).catch(outbox.reportFailure));
  const jobsPool = openJobsPool(
    { url: databaseUrl, pooler: options.pooler },
    agenda.reportFailure,
    options.maxConnections,
  );
  const storage = await openJobStorage(options, jobsPool.pool);
  const scheduler = startTaskScheduler({
    storage,
    listenAddress: options.listenAddress ?? { url: databaseUrl, pooler: options.pooler },
    jobsPool,
    workerName,
    onDue: submitAll,
    health: agenda,
  });

  let stopping: Promise<void> | null = null;

  function submitAll(taskIds: readonly string[]): void {
    for (const taskId of taskIds) void runner.submit(taskId);
  }

  function dispatchAfter(taskId: string, inMs: number): void {
    scheduler.dispatchAfter(taskId, inMs);
  }

  async function stopAll(): Promise<void> {
    const [, , allEnded] = await Promise.all([scheduler.stop(), relay.stop(), runner.stop(STOP_TIMEOUT_MS)]);
    if (!allEnded) log.warn({}, 'Stopped while tasks were running; other workers claim them when their leases expire');
  }

  await scheduler.ready;
  const relay = startOutboxRelay({ database, clock, submit: runner.submit, health: outbox });
  return {
    dispatch: scheduler.dispatch,
    checkHealth: () => checkReasons(outbox.lastError(), agenda.lastError()),
    stop: () => (stopping ??= stopAll()),
  };
}

async function checkReasons(outbox: string | null, agenda: string | null): Promise<void> {
  if (outbox !== null) throw new Error(`The outbox cannot be reached: ${outbox}`);
  if (agenda !== null) throw new Error(`Agenda cannot be reached: ${agenda}`);
}
