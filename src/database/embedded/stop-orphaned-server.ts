import { findRunningPostmaster, removeStalePidFile } from './pid-file.js';
import type { ServerLogger } from './server-logger.js';
import type { ServerPaths } from './server-paths.js';
import { removeState } from './server-state.js';
import { stopPostmaster } from './stop-postmaster.js';

/** Clears up after a service that was killed. Only for the owner of the data folder: what still runs there is nobody's. */
export async function stopOrphanedServer(home: ServerPaths, log: ServerLogger): Promise<void> {
  await removeState(home);
  const orphan = await findRunningPostmaster(home.cluster);
  if (orphan !== null) {
    log.info(`Stopping the embedded PostgreSQL (process ${orphan}) of a service that was killed.`);
    await stopPostmaster(orphan, home.cluster);
  }
  await removeStalePidFile(home.cluster, log);
}
