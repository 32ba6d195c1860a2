import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, platform, setPriority } from 'node:os';

const THREADS = '/proc/self/task';
/** As libuv names those that do what would block, since 1.50. */
const POOL_THREAD = /^libuv-worker/;

/**
 * Has the threads on which passwords are hashed give way to everything else on the machine that wants a processor: the event
 * loop, and a database beside it. When nothing else does they are as fast as ever.
 *
 * Only Linux knows priorities of single threads. Call it when the pool has begun, after the first hash.
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
    // A sandbox may forbid it; then logins and everything else share the processors evenly.
  }
}

/** Linux takes the id of a thread wherever it takes that of a process. */
export function poolThreads(): number[] {
  return readdirSync(THREADS)
    .filter((thread) => POOL_THREAD.test(readFileSync(`${THREADS}/${thread}/comm`, 'utf8')))
    .map(Number);
}
