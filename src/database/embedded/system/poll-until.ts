import { setTimeout as delay } from 'node:timers/promises';

const POLL_EVERY_MS = 20;

/** Waits for what announces itself to nobody (another process, a file); false when `timeoutMs` passed in vain. */
export async function pollUntil(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) return false;
    await delay(POLL_EVERY_MS);
  }
  return true;
}
