import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;

/** Waits until the condition holds, and no longer. @throws Error with what was waited for, when it never came about */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
