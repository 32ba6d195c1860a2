import { realpath } from 'node:fs/promises';
import { isDataFolderLocked } from './files/data-folder-lock.js';
import { findRunningPostmaster } from './files/pid-file.js';
import { candidateServerPaths, type ServerPaths } from './files/server-paths.js';
import { readState } from './files/server-state.js';
import { databaseUrl } from './process/service-database.js';
import { EmbeddedServerError } from './system/embedded-server-error.js';
import { hasErrorCode, readFileIfExists } from './system/files.js';

export interface RunningServer {
  readonly url: string;
  readonly ownerPid: number;
}

/**
 * Finds the server that a running service has started on this data folder, for commands beside the service.
 *
 * @returns null when no service runs, when its server is not ready yet, or when the service was killed, because the
 * next start stops that server
 * @throws EmbeddedServerError when the server belongs to another OS user
 */
export async function findRunningServer(dataDir: string): Promise<RunningServer | null> {
  const dataFolder = await findFolder(dataDir);
  if (dataFolder === null || !(await isDataFolderLocked(dataFolder))) return null;
  for (const paths of candidateServerPaths(dataFolder)) {
    const server = await findIn(paths);
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

async function findIn(paths: ServerPaths): Promise<RunningServer | null> {
  try {
    const [state, password] = await Promise.all([readState(paths), readFileIfExists(paths.passwordFile)]);
    if (!state || password === null || (await findRunningPostmaster(paths.cluster)) === null) return null;
    return { url: databaseUrl(state.port, password), ownerPid: state.ownerPid };
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES')) throw error;
    throw new EmbeddedServerError(
      `The running database in ${paths.folder} belongs to another user: run this command as the user that started it.`,
    );
  }
}
