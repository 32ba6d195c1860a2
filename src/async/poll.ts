import { setTimeout as delay } from 'node:timers/promises';

const DEFAULT_INTERVAL_MS = 20;

/**
 * Reads a value until it is final: for a change that causes no event, such as that of a file or another process.
 *
 * @param timeoutMs from 0, with which the value is read once
 * @returns the value that was read last, final or not
 */
export async function poll<T>(
  read: () => T | Promise<T>,
  isFinal: (value: T) => boolean,
  timeoutMs: number,
  intervalMs = DEFAULT_INTERVAL_MS,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isFinal(value) || performance.now() >= deadline) return value;
    await delay(intervalMs);
  }
}

/** Checks a condition until it holds. @returns false when it did not hold within `timeoutMs` */
export function pollUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  intervalMs = DEFAULT_INTERVAL_MS,
): Promise<boolean> {
  return poll(condition, Boolean, timeoutMs, intervalMs);
}
