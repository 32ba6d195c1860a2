import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;
/** For what never comes, not for what is slow: a busy machine may take ten times as long. */
const FOR_EVER_MS = 60_000;

/** Waits until the condition holds, and no longer. @throws Error with what was waited for, when it never came about */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  limitMs = FOR_EVER_MS,
): Promise<void> {
  const giveUpAt = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
