import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until the time has passed or the signal is aborted.
 *
 * With a signal, as background loops have, the timer does not keep the process alive.
 *
 * @returns false when the signal was aborted
 */
export async function abortableDelay(ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal === undefined) return delay(ms, true);
  try {
    return await delay(ms, true, { signal, ref: false });
  } catch {
    return false;
  }
}
