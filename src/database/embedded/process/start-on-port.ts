import { findFreePort } from '../system/free-port.js';
import type { Postmaster } from './start-postmaster.js';

/** Between choosing a free port and using it another process may take it. */
const ATTEMPTS = 3;
const PORT_TAKEN = 'Address already in use';

/** Starts a server on the wanted port, or on some free one. */
export async function startOnPort(
  wanted: number | undefined,
  start: (port: number) => Promise<Postmaster>,
): Promise<{ port: number; postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await findFreePort());
    try {
      return { port, postmaster: await start(port) };
    } catch (error) {
      const mayRetry = wanted === undefined && attempt < ATTEMPTS && String(error).includes(PORT_TAKEN);
      if (!mayRetry) throw error;
    }
  }
}
