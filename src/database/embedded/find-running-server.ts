import { realpath } from 'node:fs/promises';
import { isDataFolderLocked } from './files/data-folder-lock.js';
import { findRunningPostmaster } from './files/pid-file.js';
import { candidateServerPaths, type ServerPaths } from './files/server-paths.js';
import { readState } from './files/server-state.js';
import { databaseUrl } from './process/service-database.js';
import { EmbeddedServerError } from './system/embedded-server-error.js';
import { hasErrorCode, readFileIfExists } from './system/files.js';
import { removeLibpqVariables } from './system/remove-libpq-variables.js';

export interface RunningServer {
  readonly url: string;
  readonly ownerPid: number;
}

/**
 * Finds the server that a running service keeps on this data folder, for commands that work beside it.
 *
 * Null when there is none, when it is not ready yet, or when its service was killed: such a server is about to be
 * stopped by the next start and must not be relied on.
 *
 * @throws EmbeddedServerError when there is one that this user may not use
 */
export async function findRunningServer(dataDir: string): Promise<RunningServer | null> {
  const dataFolder = await findFolder(dataDir);
  if (dataFolder === null || !(await isDataFolderLocked(dataFolder))) return null;
  for (const home of candidateServerPaths(dataFolder)) {
    const server = await findIn(home);
    if (server) return server;
  }
  return null;
}

async function findFolder(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function findIn(home: ServerPaths): Promise<RunningServer | null> {
  try {
    const [state, password] = await Promise.all([readState(home), readFileIfExists(home.passwordFile)]);
    if (!state || password === null || (await findRunningPostmaster(home.cluster)) === null) return null;
    removeLibpqVariables();
    return { url: databaseUrl(state.port, password), ownerPid: state.ownerPid };
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES')) throw error;
    throw new EmbeddedServerError(
      `The running database in ${home.folder} belongs to another user: run this as the one who started it.`,
    );
  }
}
