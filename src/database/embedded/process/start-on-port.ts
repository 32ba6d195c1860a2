import { retry, type RetryPolicy } from '../../../async/retry.js';
import { findFreePort } from '../system/free-port.js';
import type { Postmaster } from './start-postmaster.js';

export interface PostmasterOnPort {
  readonly port: number;
  readonly postmaster: Postmaster;
}

const PORT_TAKEN = 'Address already in use';
/** Another process may take a free port before the server uses it. */
const FREE_PORT_POLICY: RetryPolicy = {
  maxAttempts: 3,
  delayMs: () => 0,
  isRetryable: (error) => String(error).includes(PORT_TAKEN),
};

/** Starts a server on the given port; without one, on a free port. */
export async function startOnPort(
  givenPort: number | undefined,
  start: (port: number) => Promise<Postmaster>,
): Promise<PostmasterOnPort> {
  if (givenPort !== undefined) return { port: givenPort, postmaster: await start(givenPort) };
  return retry(FREE_PORT_POLICY, async () => {
    const port = await findFreePort();
    return { port, postmaster: await start(port) };
  });
}
