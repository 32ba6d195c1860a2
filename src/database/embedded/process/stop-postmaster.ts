import { pollUntil } from '../../../async/poll.js';
import { isServingCluster } from '../files/pid-file.js';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode } from '../system/files.js';

const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;

/**
 * Stops the server: sessions are cut, what was not committed is undone, everything is written to disk.
 *
 * One that does not manage that in time is made to end at once, and recovers from its log at the next start.
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

/** A process that ended in the meantime needs no signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasErrorCode(error, 'ESRCH')) throw error;
  }
}
