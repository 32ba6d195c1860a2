import { setTimeout as delay } from 'node:timers/promises';

/** Waits, but not beyond the signal; the timer keeps no process alive. */
export async function abortableDelay(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal, ref: false });
  } catch {
    // Aborted: whoever pauses looks at the signal next.
  }
}
