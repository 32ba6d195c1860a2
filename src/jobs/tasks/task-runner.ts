import pLimit from 'p-limit';
import { withTimeout } from '../../async/with-timeout.js';

/** Runs tasks, a bounded number at a time. */
export interface TaskRunner {
  /**
   * Queues a task, unless it is pending already or `MAX_PENDING` tasks are.
   *
   * @returns true once the task has begun; false when it is rejected, or still waits when the runner stops. Never
   *   rejects.
   */
  readonly submit: (taskId: string) => Promise<boolean>;
  /**
   * Begins no further task and waits for the running ones, for at most `limitMs`.
   *
   * @returns false when a task still runs
   */
  readonly stop: (limitMs: number) => Promise<boolean>;
}

/** Handlers mostly wait for a mail server or the database, whose connections they share with the requests. */
const MAX_CONCURRENCY = 16;
/** Beyond this a task is left to other processes, or to the relay. */
const MAX_PENDING = 1_000;

/** @param run never rejects */
export function startTaskRunner(run: (taskId: string) => Promise<void>): TaskRunner {
  const limit = pLimit({ concurrency: MAX_CONCURRENCY, rejectOnClear: true });
  const pending = new Set<string>();
  const running = new Set<Promise<void>>();
  let isStopped = false;

  function begin(taskId: string): Promise<void> {
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
          return begin(taskId);
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
