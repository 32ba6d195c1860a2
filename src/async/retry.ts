import { abortableDelay } from './abortable-delay.js';

export interface RetryPolicy {
  /** Calls of `work`, the first included; Infinity for no limit. */
  readonly maxAttempts: number;
  /** @param failures 1 after the first failure */
  readonly delayMs: (failures: number) => number;
  readonly isRetryable: (error: unknown) => boolean;
  /** Ends the delay before a further attempt, which is not made then. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `work` until it succeeds, fails with an error that is not retryable, or has failed `maxAttempts` times.
 *
 * @throws the error of the last attempt
 */
export async function retry<T>(policy: RetryPolicy, work: () => Promise<T>): Promise<T> {
  const { maxAttempts, delayMs, isRetryable, signal } = policy;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const mayRetry = attempt < maxAttempts && isRetryable(error);
      if (!mayRetry || !(await abortableDelay(delayMs(attempt), signal))) throw error;
    }
  }
}

/**
 * Calls `work` until it returns a result, without delay: for optimistic attempts, which end with null when what they
 * read was changed concurrently.
 *
 * @returns null when `maxAttempts` attempts have returned null
 */
export async function retryWhileNull<T>(maxAttempts: number, work: () => Promise<T | null>): Promise<T | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const result = await work();
    if (result !== null) return result;
  }
  return null;
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
