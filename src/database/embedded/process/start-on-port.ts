import { retry, type RetryPolicy } from '../../../async/retry.js';
import { findFreePort } from '../system/free-port.js';

const PORT_TAKEN = 'Address already in use';

/** Another process may take a free port before the server uses it. */
const FREE_PORT_POLICY: RetryPolicy = {
  maxAttempts: 3,
  delayMs: () => 0,
  isRetryable: (error) => String(error).includes(PORT_TAKEN),
};

/** Calls `start` with the given port; without one, with a free port. */
export async function startOnPort<T>(givenPort: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  if (givenPort !== undefined) return start(givenPort);
  return retry(FREE_PORT_POLICY, async () => start(await findFreePort()));
}
