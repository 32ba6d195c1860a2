import { withTimeout } from './with-timeout.js';

/** Runs tasks, a bounded number at a time. */
export interface TaskRunner {
  /**
   * Takes a task, unless it is in hand already or too many are.
   *
   * @returns once it has been begun (true) or turned away; never rejects
   */
  readonly submit: (taskId: string) => Promise<boolean>;
  /** Begins nothing more, and waits for what runs, but not longer than that. False when something still runs. */
  readonly stop: (limitMs: number) => Promise<boolean>;
}

/** Handlers mostly wait for a mail server or the database, whose connections they share with the requests. */
const MAX_CONCURRENCY = 16;
/** Beyond this a task is left to other processes, or to the relay. */
const MAX_PENDING = 1_000;

/** @param run never rejects */
export function startTaskRunner(run: (taskId: string) => Promise<void>): TaskRunner {
  const pending = new Set<string>();
  const running = new Set<Promise<void>>();
  const waiting: (() => void)[] = [];
  const stopping = new AbortController();
  const isStopped = (): boolean => stopping.signal.aborted;

  function begin(taskId: string): void {
    const attempt = run(taskId).finally(() => {
      running.delete(attempt);
      pending.delete(taskId);
      waiting.shift()?.();
    });
    running.add(attempt);
  }

  return {
    async submit(taskId) {
      if (isStopped() || pending.has(taskId) || pending.size >= MAX_PENDING) return false;
      pending.add(taskId);
      // Looked at again after each wait, since another may have taken the place in between.
      while (running.size >= MAX_CONCURRENCY && !isStopped())
        await new Promise<void>((resolve) => waiting.push(resolve));
      if (isStopped()) return false;
      begin(taskId);
      return true;
    },
    async stop(limitMs) {
      stopping.abort();
      waiting.splice(0).forEach((resume) => {
        resume();
      });
      return withTimeout(limitMs, Promise.all(running)).then(
        () => true,
        () => false,
      );
    },
  };
}
