import pLimit from 'p-limit';
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

/** Handlers mostly wait for a mail server, or for the database, whose connections they share with the requests. */
const MAX_CONCURRENCY = 16;
/** Running and queued tasks. Other processes and later polls of the relay run the rest. */
const MAX_PENDING = 1_000;

/** @param run never rejects */
export function startTaskRunner(run: (taskId: string) => Promise<void>): TaskRunner {
  const limit = pLimit({ concurrency: MAX_CONCURRENCY, rejectOnClear: true });
  const pending = new Set<string>();
  const running = new Set<Promise<void>>();
  let isStopped = false;

  function start(taskId: string): Promise<void> {
    const attempt = run(taskId).finally(() => {
      running.delete(attempt);
      pending.delete(taskId);
    });
    running.add(attempt);
    return attempt;
  }

  return {
    async submit(taskId) {
      if (isStopped || pending.has(taskId) || pending.size >= MAX_PENDING) return false;
      pending.add(taskId);
      return new Promise((resolve) => {
        // Rejected only when `stop` clears the queue.
        limit(() => {
          resolve(true);
          return start(taskId);
        }).catch(() => {
          resolve(false);
        });
      });
    },
    async stop(limitMs) {
      isStopped = true;
      limit.clearQueue();
      return withTimeout(limitMs, Promise.all(running)).then(
        () => true,
        () => false,
      );
    },
  };
}
