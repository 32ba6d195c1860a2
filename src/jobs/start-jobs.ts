import { createHealthMonitor } from '../async/health-monitor.js';
import { redactErrorMessage } from '../database/errors/redact-error.js';
import { startTaskScheduler } from './agenda/task-scheduler.js';
import type { Jobs, JobsOptions } from './jobs.js';
import { startOutboxRelay } from './tasks/outbox-relay.js';
import { runTask } from './tasks/run-task.js';
import { startTaskRunner } from './tasks/task-runner.js';

/** How long a stop waits for handlers that run; what is cut off then is taken over when its lease ends. */
const STOP_LIMIT_MS = 8_000;

/**
 * Starts running what the outbox owes: Agenda says when to look at a task, the runner makes the attempt, and the
 * relay finds what was lost on the way. The outbox alone is the truth.
 *
 * Resolves after the first attempt to reach the backend, also when that failed: it then goes on trying.
 */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { database, clock, log } = options;
  const outbox = createHealthMonitor(log, 'The outbox', redactErrorMessage);
  const agenda = createHealthMonitor(log, 'Agenda', redactErrorMessage);
  const handlers = new Map(options.handlers.map((handler) => [handler.name, handler]));
  const runner = startTaskRunner(async (taskId) => {
    await runTask({ database, clock, log, handlers, wakeLater }, taskId).catch(outbox.reportFailure);
  });
  const taskClock = startTaskScheduler({ ...options, onDue: submitAll, health: agenda });

  let stopping: Promise<void> | null = null;

  function submitAll(taskIds: readonly string[]): void {
    for (const taskId of taskIds) void runner.submit(taskId);
  }

  function wakeLater(taskId: string, inMs: number): void {
    taskClock.dispatchAfter(taskId, inMs);
  }

  async function stopAll(): Promise<void> {
    // Agenda first, so that it hands nothing more to a runner that would turn it away.
    const [, , allEnded] = await Promise.all([taskClock.stop(), relay.stop(), runner.stop(STOP_LIMIT_MS)]);
    if (!allEnded) log.warn({}, 'Stopped while tasks were running: they will be taken over');
  }

  await taskClock.ready;
  const relay = startOutboxRelay({ database, clock, submit: runner.submit, health: outbox });
  return {
    dispatch: taskClock.dispatch,
    checkHealth: () => checkReasons(outbox.lastError(), agenda.lastError()),
    stop: () => (stopping ??= stopAll()),
  };
}

async function checkReasons(outbox: string | null, agenda: string | null): Promise<void> {
  if (outbox !== null) throw new Error(`The outbox cannot be reached: ${outbox}`);
  if (agenda !== null) throw new Error(`Agenda cannot be reached: ${agenda}`);
}
