import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';

const THREADS = '/proc/self/task';
/** Name of the worker threads of libuv, since 1.50. */
const POOL_THREAD = /^libuv-worker/;

/**
 * Lowers the priority of the threads that hash passwords, so that the event loop and a database on the same host get
 * the processor first. On an idle machine hashing is as fast as before.
 *
 * Linux only, because other systems have no priority per thread. Call it after the first hash, which starts the pool.
 */
export function lowerThreadPoolPriority(): void {
  if (platform() !== 'linux') return;
  try {
    const priority = Math.min(
      getPriority() + constants.priority.PRIORITY_BELOW_NORMAL,
      constants.priority.PRIORITY_LOW,
    );
    for (const thread of poolThreads()) setPriority(thread, priority);
  } catch {
    // A sandbox may forbid it; logins then compete with all other work for the processor.
  }
}

/** Ids of the threads. Linux accepts a thread id wherever it accepts a process id. */
export function poolThreads(): number[] {
  return readdirSync(THREADS)
    .filter((thread) => POOL_THREAD.test(readFileSync(`${THREADS}/${thread}/comm`, 'utf8')))
    .map(Number);
}
