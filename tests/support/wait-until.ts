import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 5;
/** For conditions that never hold, not for slow ones: a busy machine may take ten times as long. */
const TIMEOUT_MS = 60_000;

/**
 * Polls until the condition holds.
 *
 * @throws Error with `what` when the condition did not hold in time
 */
export async function waitUntil(
  description: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const giveUpAt = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain for: ${description}`);
    await delay(POLL_INTERVAL_MS);
  }
}
