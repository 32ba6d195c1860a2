import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until the time has passed or the signal is aborted. The timer does not keep the process alive.
 *
 * @returns false when the signal was aborted
 */
export async function abortableDelay(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: false });
    return true;
  } catch {
    return false;
  }
}
