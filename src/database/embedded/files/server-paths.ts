import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedServerError } from '../system/embedded-server-error.js';
import { hasErrorCode } from '../system/files.js';
import { ensurePostgresUser, isRoot } from '../system/os-user.js';
import { hasExitCode, runTool, type OsUser } from '../system/run-tool.js';
import type { ServerLogger } from '../system/server-logger.js';

/** Where the server keeps everything of its own, and as whom it runs (null: as this process). */
export interface ServerPaths {
  readonly folder: string;
  /** PostgreSQL's own data directory. */
  readonly cluster: string;
  readonly passwordFile: string;
  readonly stateFile: string;
  readonly logFile: string;
  readonly account: OsUser | null;
}

/** For root only: what the server's account can reach whatever the folder of the project is closed to. */
export const SYSTEM_DATA_FOLDER = '/var/lib/convene';

/** The places where the server of a data folder may live, the usual one first. */
export function candidateServerPaths(dataFolder: string): readonly ServerPaths[] {
  return [usualFolder(dataFolder), systemFolder(dataFolder)].map((folder) => homeIn(folder, null));
}

function usualFolder(dataFolder: string): string {
  return join(dataFolder, 'postgres');
}

function systemFolder(dataFolder: string): string {
  return join(SYSTEM_DATA_FOLDER, createHash('sha256').update(dataFolder).digest('hex').slice(0, 16));
}

/**
 * Finds the server's home or makes a new one.
 *
 * Started by root, the server runs as the account that owns the data already there, or else as `postgres`. That account
 * must be able to pass through every parent folder; where it is not (`/root`, folders of mode 0700), the home is made
 * under /var/lib/convene.
 */
export async function prepareServerPaths(dataFolder: string, log: ServerLogger): Promise<ServerPaths> {
  if (!isRoot()) return makeOwnHome(usualFolder(dataFolder));
  for (const { folder, cluster } of candidateServerPaths(dataFolder)) {
    const owner = await findOwner(cluster);
    if (owner) return openHome(folder, owner);
  }
  return makeReachableHome(usualFolder(dataFolder), systemFolder(dataFolder), log);
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

async function openHome(folder: string, owner: OsUser): Promise<ServerPaths> {
  if (!(await isReachable(folder, owner))) {
    throw new EmbeddedServerError(
      `The database in ${folder} belongs to the system account ${owner.uid}, which can no longer reach it. ` +
        'Let others pass through its parent folders (chmod o+x), or set DATABASE_URL.',
    );
  }
  return homeIn(folder, owner);
}

async function makeOwnHome(folder: string): Promise<ServerPaths> {
  const home = await makeHome(folder, null);
  const owner = await findOwner(folder);
  if (owner?.uid === process.geteuid?.()) return home;
  throw new EmbeddedServerError(
    `The database in ${folder} belongs to another user: start Convene as that one, or set DATABASE_URL.`,
  );
}

async function makeReachableHome(usual: string, elsewhere: string, log: ServerLogger): Promise<ServerPaths> {
  const account = await ensurePostgresUser();
  const home = await makeHome(usual, account);
  if (await isReachable(usual, account)) return home;
  await rmdir(usual);
  log.info(
    `PostgreSQL does not run as root, and the account "postgres" cannot reach ${usual}: ` +
      `the database is kept in ${elsewhere}.`,
  );
  await createSystemDataFolder();
  return makeHome(elsewhere, account);
}

async function makeHome(folder: string, account: OsUser | null): Promise<ServerPaths> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  return homeIn(folder, account);
}

/** Explicitly open to all for passing through: the process' umask may say otherwise. */
export async function createSystemDataFolder(): Promise<void> {
  await mkdir(SYSTEM_DATA_FOLDER, { recursive: true });
  await chmod(SYSTEM_DATA_FOLDER, 0o711);
}

function homeIn(folder: string, account: OsUser | null): ServerPaths {
  return {
    folder,
    cluster: join(folder, 'cluster'),
    passwordFile: join(folder, 'superuser-password'),
    stateFile: join(folder, 'server.json'),
    logFile: join(folder, 'server.log'),
    account,
  };
}

/** Asked of the system itself, as the account, so that access lists and mounts count as well. */
async function isReachable(folder: string, account: OsUser): Promise<boolean> {
  try {
    await runTool('test', ['-x', folder], account);
    return true;
  } catch (error) {
    if (hasExitCode(error)) return false;
    throw error;
  }
}
