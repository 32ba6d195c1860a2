import { findRunningPostmaster, markPidFileStale } from '../files/pid-file.js';
import type { ServerPaths } from '../files/server-paths.js';
import { removeState } from '../files/server-state.js';
import type { ServerLogger } from '../system/server-logger.js';
import { stopPostmaster } from './stop-postmaster.js';

/**
 * Stops the server of a service that was killed. The caller holds the lock of the data folder, so no other service uses
 * the server.
 */
export async function stopOrphanedServer(home: ServerPaths, log: ServerLogger): Promise<void> {
  await removeState(home);
  const orphan = await findRunningPostmaster(home.cluster);
  if (orphan !== null) {
    log.info(`Stopping the embedded PostgreSQL (process ${orphan}) of a service that was killed.`);
    await stopPostmaster(orphan, home.cluster);
  }
  await markPidFileStale(home, log);
}
