import { setTimeout as delay } from 'node:timers/promises';

export interface RetryPolicy {
  /** Calls of `work`, the first included. */
  readonly maxAttempts: number;
  /** @param failures 1 after the first failure */
  readonly delayMs: (failures: number) => number;
  readonly isRetryable: (error: unknown) => boolean;
}

/**
 * Calls `work` until it succeeds, fails with an error that is not retryable, or has failed `maxAttempts` times.
 *
 * @throws the error of the last attempt
 */
export async function retry<T>({ maxAttempts, delayMs, isRetryable }: RetryPolicy, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await delay(delayMs(attempt));
    }
  }
}

/**
 * Exponential backoff: `firstMs`, doubled with each further failure.
 *
 * @param failures 1 after the first failure
 * @param maxMs upper bound
 */
export function backoffMs(firstMs: number, failures: number, maxMs = Infinity): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
