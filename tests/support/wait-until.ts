import { pollUntil } from '../../src/async/poll.js';

const POLL_INTERVAL_MS = 5;
/** For conditions that never hold, not for slow ones: a busy machine may take ten times as long. */
const TIMEOUT_MS = 60_000;

/**
 * Polls until the condition holds.
 *
 * @throws Error with `description` when the condition did not hold in time
 */
export async function waitUntil(
  description: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  if (!(await pollUntil(holds, timeoutMs, POLL_INTERVAL_MS))) throw new Error(`waited in vain for: ${description}`);
}
