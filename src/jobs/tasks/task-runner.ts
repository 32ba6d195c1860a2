import PQueue from 'p-queue';
import { withTimeout } from '../../async/with-timeout.js';

/** Runs a bounded number of tasks concurrently. */
export interface TaskRunner {
  /**
   * Queues a task, unless it is pending or `MAX_PENDING` tasks are pending. Never throws.
   *
   * @returns true when the task has started; false when it was not queued, or still waits when the runner stops
   */
  readonly submit: (taskId: string) => Promise<boolean>;
  /**
   * Starts no further task and waits up to `limitMs` for the running tasks.
   *
   * @returns false when a task still runs
   */
  readonly stop: (limitMs: number) => Promise<boolean>;
}

/**
 * As many as a job has during a flood of registrations, so that one statement claims them. Not more, because handlers
 * share the connections to the database with the requests.
 */
const MAX_CONCURRENCY = 32;
/** Running and queued tasks. Other processes and later polls of the relay run the rest. */
const MAX_PENDING = 10_000;

/** @param run never rejects */
export function startTaskRunner(run: (taskId: string) => Promise<void>): TaskRunner {
  const queue = new PQueue({ concurrency: MAX_CONCURRENCY });
  const pending = new Set<string>();
  let isStopped = false;

  return {
    async submit(taskId) {
      if (isStopped || pending.has(taskId) || pending.size >= MAX_PENDING) return false;
      pending.add(taskId);
      return new Promise((resolve) => {
        const start = async (): Promise<void> => {
          resolve(true);
          await run(taskId).finally(() => pending.delete(taskId));
        };
        // Rejects only when `stop` clears the queue.
        queue.add(start).catch(() => {
          resolve(false);
        });
      });
    },
    async stop(limitMs) {
      isStopped = true;
      queue.clear();
      return withTimeout(limitMs, queue.onIdle()).then(
        () => true,
        () => false,
      );
    },
  };
}
