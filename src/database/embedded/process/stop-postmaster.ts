import { pollUntil } from '../../../async/poll.js';
import { isServingCluster } from '../files/pid-file.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode } from '../system/files.js';

const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;

/**
 * Stops the server: ends its sessions, rolls their transactions back and writes everything to disk.
 *
 * After 30 s the server is stopped immediately, and recovers at its next start.
 *
 * @throws EmbeddedServerError when the server still runs 10 s later
 */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  if (await endsAfter('SIGINT', FAST_STOP_MS)) return;
  if (await endsAfter('SIGQUIT', IMMEDIATE_STOP_MS)) return;
  throw new EmbeddedServerError(`The embedded PostgreSQL (process ${pid}) does not stop.`);

  function endsAfter(signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
    sendSignal(pid, signal);
    return pollUntil(async () => !(await isServingCluster(pid, cluster)), timeoutMs);
  }
}

/** Ignores a process that has ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
