import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for the work for at most `limitMs`. The work itself continues after that, and its outcome is ignored.
 * The timer does not keep the process alive.
 *
 * @throws Error when the time has passed
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
