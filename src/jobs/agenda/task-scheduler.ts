import { abortableDelay } from '../../async/abortable-delay.js';
import { createBatcher } from '../../async/batcher.js';
import type { HealthMonitor } from '../../async/health-monitor.js';
import { retry, type RetryPolicy } from '../../async/retry.js';
import type { DatabaseAddress } from '../../database/client/client-options.js';
import type { JobStorage } from './job-storage.js';
import type { JobsPool } from './jobs-pool.js';
import { PostgresNotificationChannel } from './postgres-notification-channel.js';
import { startAgenda, type RunningAgenda } from './start-agenda.js';

export interface TaskSchedulerOptions {
  readonly storage: JobStorage;
  readonly listenAddress: DatabaseAddress;
  /** Sends notifications. */
  readonly jobsPool: JobsPool;
  readonly workerName: string;
  /** Called when scheduled tasks are due, in one of the processes that share the storage. */
  readonly onDue: (taskIds: readonly string[]) => void;
  readonly health: HealthMonitor;
}

/**
 * Schedules task dispatch, best effort. A dispatch can be lost (the outbox relay finds the task) or duplicated (the
 * task lease rejects it).
 */
export interface TaskScheduler {
  /** Resolves after the first attempt to reach the storage, also when it has failed. */
  readonly ready: Promise<void>;
  /** Dispatches tasks now. Returns immediately and never throws. */
  readonly dispatch: (taskIds: readonly string[]) => void;
  /** Dispatches a task in `inMs` milliseconds. Returns immediately and never throws. */
  readonly dispatchAfter: (taskId: string, inMs: number) => void;
  /** Resolves when every connection is closed and every timer has fired. */
  stop(): Promise<void>;
}

const START_POLICY: RetryPolicy = { maxAttempts: Infinity, delayMs: () => 1_000, isRetryable: () => true };
/** Tasks per job, all of which one process runs. */
const MAX_JOB_SIZE = 100;
/**
 * A job costs about ten statements, its tasks included, so tasks that are dispatched shortly after others share the
 * next job, which waits for `DELAY_MS * tasks ** 2` of the one before. So the three tasks of one registration delay
 * little, and about 30 registrations per second share jobs.
 */
const DELAY_MS = 1.5;
const MAX_DELAY_MS = 100;

/**
 * Starts Agenda on a storage. Retries every second while the storage cannot be reached. Closes storage and pool when it
 * stops.
 */
export function startTaskScheduler(options: TaskSchedulerOptions): TaskScheduler {
  const { storage, listenAddress, jobsPool, health } = options;
  const stopping = new AbortController();
  const notifications = new PostgresNotificationChannel(listenAddress, jobsPool.pool);
  notifications.on('error', health.reportFailure);
  let agenda: RunningAgenda | null = null;

  const firstAttempt = Promise.withResolvers<undefined>();

  async function start(): Promise<void> {
    try {
      agenda = await startAgenda({ ...options, notifications });
    } catch (error) {
      health.reportFailure(error);
      throw error;
    } finally {
      firstAttempt.resolve(undefined);
    }
  }

  /** Uses the machine's clock, as Agenda does. The repository reports failures to the health monitor. */
  async function save(taskIds: readonly string[], inMs: number): Promise<void> {
    if (!stopping.signal.aborted) await agenda?.schedule(taskIds, new Date(Date.now() + inMs));
  }

  async function saveWithDelay(taskIds: readonly string[]): Promise<void> {
    const delayMs = taskIds.length === MAX_JOB_SIZE ? 0 : Math.min(MAX_DELAY_MS, DELAY_MS * taskIds.length ** 2);
    await Promise.all([save(taskIds, 0), abortableDelay(delayMs, stopping.signal)]);
  }

  // Rejects only when the scheduler is stopped before it has started; `start` has reported the error.
  const started = retry({ ...START_POLICY, signal: stopping.signal }, start).catch(() => undefined);
  return {
    ready: firstAttempt.promise,
    dispatch: createBatcher<string>(MAX_JOB_SIZE, saveWithDelay),
    dispatchAfter(taskId, inMs) {
      save([taskId], inMs).catch(() => undefined);
    },
    async stop() {
      stopping.abort();
      await started;
      await agenda?.stop();
      await storage.close();
      await jobsPool.close();
    },
  };
}
