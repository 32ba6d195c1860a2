/** How often a task is begun before it is given up; with the pauses below that is after about three and a half hours. */
export const MAX_ATTEMPTS = 12;

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** The part of a pause that chance may take away, so that tasks which failed together do not return together. */
const JITTER = 0.2;

/**
 * How long to wait after the given attempt failed: 10 s, doubled each time, at most an hour.
 *
 * @param attempts 1 after the first attempt
 * @param chance from 0 to 1
 */
export function retryDelayMs(attempts: number, chance = Math.random()): number {
  const nominalMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  return Math.round(nominalMs * (1 - JITTER * chance));
}
