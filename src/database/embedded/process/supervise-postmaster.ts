import { backoffMs, retry, type RetryPolicy } from '../../../async/retry.js';
import { markPidFileStale } from '../files/pid-file.js';
import type { ServerPaths } from '../files/server-paths.js';
import type { ServerLogger } from '../system/server-logger.js';
import type { Postmaster } from './start-postmaster.js';
import { stopPostmaster } from './stop-postmaster.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Starts the server. Calls `onUnexpectedExit` with the end of its log when it ends without having been stopped. */
export type StartPostmaster = (onUnexpectedExit: (logTail: string) => void) => Promise<Postmaster>;

/** A server that is started again when it ends unexpectedly. */
export interface SupervisedPostmaster {
  stop(): Promise<void>;
}

/**
 * Starts the server, and starts it again after each unexpected end, for example when the system killed it for its
 * memory. A restart that fails is repeated after 500 ms, and then after twice the time, up to 30 s.
 *
 * @throws EmbeddedServerError when the first start fails
 */
export async function supervisePostmaster(
  paths: ServerPaths,
  start: StartPostmaster,
  log: ServerLogger,
): Promise<SupervisedPostmaster> {
  const stopping = new AbortController();
  const policy = restartPolicy(stopping.signal);
  let restarted = Promise.resolve();
  let postmaster = await start(onUnexpectedExit);

  function onUnexpectedExit(logTail: string): void {
    log.warn(`The embedded PostgreSQL has ended unexpectedly and is started again; its log ends with:\n${logTail}`);
    restarted = retry(policy, restart).catch((error: unknown) => {
      log.warn(`Could not start the embedded PostgreSQL again: ${String(error)}`);
    });
  }

  async function restart(): Promise<void> {
    await markPidFileStale(paths, log);
    postmaster = await start(onUnexpectedExit);
    log.info('The embedded PostgreSQL runs again');
  }

  return {
    async stop() {
      stopping.abort();
      postmaster.markStopping();
      await restarted;
      postmaster.markStopping();
      await stopPostmaster(postmaster.pid, paths.cluster);
    },
  };
}

function restartPolicy(signal: AbortSignal): RetryPolicy {
  return {
    maxAttempts: Infinity,
    delayMs: (failures) => backoffMs(FIRST_DELAY_MS, failures, MAX_DELAY_MS),
    isRetryable: () => !signal.aborted,
    signal,
  };
}
