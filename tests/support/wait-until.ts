import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;
/** For conditions that never hold, not for slow ones: a busy machine may take ten times as long. */
const FOR_EVER_MS = 60_000;

/**
 * Polls until the condition holds.
 *
 * @throws Error with `what` when the condition did not hold in time
 */
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
