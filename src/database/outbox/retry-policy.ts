import { HOUR_MS } from '../../async/durations.js';
import { backoffMs } from '../../async/retry.js';

/** Attempts before a task is `FAILED`; with the delays below the last one begins after about three and a half hours. */
export const MAX_ATTEMPTS = 12;

const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = HOUR_MS;
/** The part of a delay that is random, so that tasks which failed together are not retried together. */
const JITTER = 0.2;

/**
 * The delay after a failed attempt: 10 s, doubled each time, at most an hour.
 *
 * @param attempts 1 after the first attempt
 * @param chance a random number from 0 to 1
 */
export function retryDelayMs(attempts: number, chance = Math.random()): number {
  const nominalMs = backoffMs(FIRST_DELAY_MS, attempts, MAX_DELAY_MS);
  return Math.round(nominalMs * (1 - JITTER * chance));
}
