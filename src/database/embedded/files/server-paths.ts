import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode } from '../system/files.js';
import { ensurePostgresUser, isRoot } from '../system/os-user.js';
import { hasExitCode, runTool, type OsUser } from '../system/run-tool.js';
import type { ServerLogger } from '../system/server-logger.js';

/** The files of the server, and the OS user that runs it. */
export interface ServerPaths {
  readonly folder: string;
  /** PostgreSQL's data directory. */
  readonly cluster: string;
  readonly passwordFile: string;
  readonly stateFile: string;
  readonly logFile: string;
  /** Null when the server runs as the user of this process. */
  readonly osUser: OsUser | null;
}

/** Used by root only, for data and binaries in a place that the user `postgres` can reach. */
export const SYSTEM_DATA_FOLDER = '/var/lib/convene';

/** The places of the server of a data folder, the default first. */
export function candidateServerPaths(dataFolder: string): readonly ServerPaths[] {
  return [defaultServerFolder(dataFolder), systemServerFolder(dataFolder)].map((folder) => serverPathsIn(folder, null));
}

function defaultServerFolder(dataFolder: string): string {
  return join(dataFolder, 'postgres');
}

function systemServerFolder(dataFolder: string): string {
  return join(SYSTEM_DATA_FOLDER, createHash('sha256').update(dataFolder).digest('hex').slice(0, 16));
}

/**
 * Finds the folder of the server, or creates it.
 *
 * Started by root, the server runs as the owner of existing data, or as the user `postgres`. When that user cannot
 * traverse the parents of the data folder (`/root`, mode 0700), a new folder is below /var/lib/convene.
 */
export async function prepareServerPaths(dataFolder: string, log: ServerLogger): Promise<ServerPaths> {
  if (!isRoot()) return createOwnServerFolder(defaultServerFolder(dataFolder));
  for (const { folder, cluster } of candidateServerPaths(dataFolder)) {
    const owner = await findOwner(cluster);
    if (owner) return openServerFolder(folder, owner);
  }
  return createReachableServerFolder(defaultServerFolder(dataFolder), systemServerFolder(dataFolder), log);
}

async function findOwner(path: string): Promise<OsUser | null> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function openServerFolder(folder: string, owner: OsUser): Promise<ServerPaths> {
  if (!(await isReachable(folder, owner))) {
    throw new EmbeddedServerError(
      `The database in ${folder} belongs to the OS user ${owner.uid}, which can no longer reach it. ` +
        'Let that user traverse its parent folders (chmod o+x), or set DATABASE_URL.',
    );
  }
  return serverPathsIn(folder, owner);
}

async function createOwnServerFolder(folder: string): Promise<ServerPaths> {
  const paths = await createServerFolder(folder, null);
  const owner = await findOwner(folder);
  if (owner?.uid === process.geteuid?.()) return paths;
  throw new EmbeddedServerError(
    `The database in ${folder} belongs to another user: start Convene as that user, or set DATABASE_URL.`,
  );
}

async function createReachableServerFolder(
  defaultFolder: string,
  systemFolder: string,
  log: ServerLogger,
): Promise<ServerPaths> {
  const osUser = await ensurePostgresUser();
  const paths = await createServerFolder(defaultFolder, osUser);
  if (await isReachable(defaultFolder, osUser)) return paths;
  await rmdir(defaultFolder);
  log.info(
    `PostgreSQL does not run as root, and the user "postgres" cannot reach ${defaultFolder}; ` +
      `the database is in ${systemFolder}`,
  );
  await createSystemDataFolder();
  return createServerFolder(systemFolder, osUser);
}

async function createServerFolder(folder: string, osUser: OsUser | null): Promise<ServerPaths> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (osUser) await chown(folder, osUser.uid, osUser.gid);
  return serverPathsIn(folder, osUser);
}

/** Sets the mode explicitly, because the umask may be stricter. */
export async function createSystemDataFolder(): Promise<void> {
  await mkdir(SYSTEM_DATA_FOLDER, { recursive: true });
  await chmod(SYSTEM_DATA_FOLDER, 0o711);
}

function serverPathsIn(folder: string, osUser: OsUser | null): ServerPaths {
  return {
    folder,
    cluster: join(folder, 'cluster'),
    passwordFile: join(folder, 'superuser-password'),
    stateFile: join(folder, 'server.json'),
    logFile: join(folder, 'server.log'),
    osUser,
  };
}

/** Runs `test` as the user, so that access lists and mounts count. */
async function isReachable(folder: string, osUser: OsUser): Promise<boolean> {
  try {
    await runTool('test', ['-x', folder], osUser);
    return true;
  } catch (error) {
    if (hasExitCode(error)) return false;
    throw error;
  }
}
