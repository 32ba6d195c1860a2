import { findRunningPostmaster, markPidFileStale } from '../files/pid-file.js';
import type { ServerPaths } from '../files/server-paths.js';
import { removeState } from '../files/server-state.js';
import type { ServerLogger } from '../system/server-logger.js';
import { stopPostmaster } from './stop-postmaster.js';

/** Stops the server that a killed service left behind. Requires the lock of the data folder. */
export async function stopOrphanedServer(paths: ServerPaths, log: ServerLogger): Promise<void> {
  await removeState(paths);
  const orphan = await findRunningPostmaster(paths.cluster);
  if (orphan !== null) {
    log.info(`Stopping the embedded PostgreSQL (process ${orphan}) of a service that was killed`);
    await stopPostmaster(orphan, paths.cluster);
  }
  await markPidFileStale(paths, log);
}
