import { findRunningPostmaster, removeMisleadingFile } from './postmaster-file.js';
import type { ServerHome } from './server-home.js';
import type { ServerLog } from './server-log.js';
import { removeState } from './server-state.js';
import { stopPostmaster } from './stop-postmaster.js';

/** Clears up after a service that was killed. Only for the owner of the data folder: what still runs there is nobody's. */
export async function stopOrphan(home: ServerHome, log: ServerLog): Promise<void> {
  await removeState(home);
  const orphan = await findRunningPostmaster(home.cluster);
  if (orphan !== null) {
    log.info(`Stopping the embedded PostgreSQL (process ${orphan}) of a service that was killed.`);
    await stopPostmaster(orphan, home.cluster);
  }
  await removeMisleadingFile(home.cluster, log);
}
