import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for the work, but not longer than that; the work itself goes on, and how it ends is no longer heard.
 * The timer keeps no process alive.
 *
 * @throws Error when it took longer
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const timeout = delay(limitMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`It took longer than ${limitMs / 1_000} s.`);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    ended.abort();
  }
}
