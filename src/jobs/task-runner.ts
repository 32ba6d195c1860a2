import { withinMs } from './within-ms.js';

/** Runs tasks, a bounded number at a time. */
export interface TaskRunner {
  /**
   * Takes a task, unless it is in hand already or too many are.
   *
   * @returns once it has been begun (true) or turned away; never rejects
   */
  submit(taskId: string): Promise<boolean>;
  /** Begins nothing more, and waits for what runs, but not longer than that. False when something still runs. */
  stop(limitMs: number): Promise<boolean>;
}

/** Handlers mostly wait for a mail server or the database, whose connections they share with the requests. */
const MOST_AT_ONCE = 16;
/** Beyond this a task is left to other processes, or to the relay. */
const MOST_IN_HAND = 1_000;

/** @param run never rejects */
export function startTaskRunner(run: (taskId: string) => Promise<void>): TaskRunner {
  const inHand = new Set<string>();
  const running = new Set<Promise<void>>();
  const waiting: (() => void)[] = [];
  let stopped = false;

  function begin(taskId: string): void {
    const attempt = run(taskId).finally(() => {
      running.delete(attempt);
      inHand.delete(taskId);
      waiting.shift()?.();
    });
    running.add(attempt);
  }

  return {
    async submit(taskId) {
      if (stopped || inHand.has(taskId) || inHand.size >= MOST_IN_HAND) return false;
      inHand.add(taskId);
      // Looked at again after each wait, since another may have taken the place in between.
      while (running.size >= MOST_AT_ONCE && !stopped) await new Promise<void>((resolve) => waiting.push(resolve));
      if (stopped) return false;
      begin(taskId);
      return true;
    },
    async stop(limitMs) {
      stopped = true;
      waiting.splice(0).forEach((resume) => { resume(); });
      return withinMs(limitMs, Promise.all(running)).then(() => true, () => false);
    },
  };
}
