import { acquireDataFolderLock, type DataFolderLock } from './files/data-folder-lock.js';
import { prepareDataFolder } from './files/data-folder.js';
import { prepareServerPaths, type ServerPaths } from './files/server-paths.js';
import { removeState, writeState } from './files/server-state.js';
import { findRunningServer } from './find-running-server.js';
import { ensureCluster } from './process/cluster.js';
import { findPostgresBinaries } from './process/postgres-binaries.js';
import { serverArguments } from './process/server-options.js';
import { databaseUrl, ensureDatabase } from './process/service-database.js';
import { startOnPort } from './process/start-on-port.js';
import { startPostmaster } from './process/start-postmaster.js';
import { stopOrphanedServer } from './process/stop-orphaned-server.js';
import { supervisePostmaster, type SupervisedPostmaster } from './process/supervise-postmaster.js';
import { EmbeddedServerError } from './system/embedded-server-error.js';
import { removeLibpqVariables } from './system/remove-libpq-variables.js';
import type { ServerLogger } from './system/server-logger.js';

export { EmbeddedServerError, findRunningServer };

export interface EmbeddedServerOptions {
  /** Made when it is missing; the server lives in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: ServerLogger;
  /** A free one is chosen otherwise, and may be another at each start. */
  readonly port?: number;
  /** False for databases that need not survive a crash: commits no longer wait for the disk. */
  readonly durable?: boolean;
}

export interface EmbeddedServer {
  /** The service's database, `postgres://…/convene`, as its superuser; it holds the password. */
  readonly url: string;
  /** Ends all sessions and stops the server; a second call waits for the first. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL of our own on a data folder: the first start there makes the database.
 *
 * It belongs to this process until `stop()`, and is reachable from this machine only. A server that a killed process
 * left behind is stopped first. Handles no signals: the caller stops the server.
 *
 * @throws EmbeddedServerError when another process runs the folder's server, or when it does not start, with the reason
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  removeLibpqVariables();
  const dataFolder = await prepareDataFolder(options.dataDir);
  const ownership = await acquireDataFolderLock(dataFolder);
  if (!ownership) throw await inUse(dataFolder);
  try {
    return await startOwned(dataFolder, ownership, options);
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

async function startOwned(
  dataFolder: string,
  ownership: DataFolderLock,
  options: EmbeddedServerOptions,
): Promise<EmbeddedServer> {
  const home = await prepareServerPaths(dataFolder, options.log);
  await stopOrphanedServer(home, options.log);
  const { password, server, port } = await startServer(home, options);
  const stop = once(() => stopOwned(home, server, ownership));
  try {
    await ensureDatabase(port, password);
    await writeState(home, { ownerPid: process.pid, port });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: databaseUrl(port, password), stop };
}

async function startServer(home: ServerPaths, options: EmbeddedServerOptions) {
  const { log, durable = true } = options;
  const programs = await findPostgresBinaries(home.account, log);
  const password = await ensureCluster(home, programs, durable);
  const { port, server } = await startOnPort(options.port, async (port) => ({
    port,
    server: await supervisePostmaster(
      home,
      (onUnexpectedExit) =>
        startPostmaster(programs.postgres, serverArguments(home.cluster, port, durable), home, onUnexpectedExit),
      log,
    ),
  }));
  return { password, port, server };
}

async function stopOwned(home: ServerPaths, server: SupervisedPostmaster, ownership: DataFolderLock): Promise<void> {
  try {
    await removeState(home);
    await server.stop();
  } finally {
    await ownership.release();
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}

async function inUse(dataFolder: string): Promise<EmbeddedServerError> {
  const owner = await findRunningServer(dataFolder).catch(() => null);
  return new EmbeddedServerError(
    `The database in ${dataFolder} is in use by another Convene${owner ? ` (process ${owner.ownerPid})` : ''}. ` +
      'Stop that one first, or give this one a data folder of its own (DATA_DIR) or a PostgreSQL (DATABASE_URL).',
  );
}
