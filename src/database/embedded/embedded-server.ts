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
import type { ServerLogger } from './system/server-logger.js';

export { EmbeddedServerError, findRunningServer };

export interface EmbeddedServerOptions {
  /** Created when it is missing. The server's files are in its folder `postgres`, or below /var/lib/convene. */
  readonly dataDir: string;
  readonly log: ServerLogger;
  /** By default a free port, which may differ at each start. */
  readonly port?: number;
  /** Connections that the server must grant, besides those of commands; 80 by default. */
  readonly connections?: number;
  /** False: commits do not wait for the disk, and a crash loses the database. Default true. */
  readonly durable?: boolean;
}

export interface EmbeddedServer {
  /** URL of the service's database, as superuser, with the password: `postgres://…/convene`. */
  readonly url: string;
  /** Ends all sessions and stops the server. A second call returns the promise of the first. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a data folder. The first start creates the database.
 *
 * The server belongs to this process until `stop()`, and is reachable from this machine only. First stops a server that
 * a killed process left behind. Starts the server again when it ends unexpectedly. Handles no signals: the caller stops
 * the server.
 *
 * @throws EmbeddedServerError when another process runs the server of the folder, or when the server does not start
 * @throws OperatorError when the data folder cannot be used
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataFolder = await prepareDataFolder(options.dataDir);
  const lock = await acquireDataFolderLock(dataFolder);
  if (!lock) throw await inUse(dataFolder);
  try {
    return await startOwned(dataFolder, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startOwned(
  dataFolder: string,
  lock: DataFolderLock,
  options: EmbeddedServerOptions,
): Promise<EmbeddedServer> {
  const paths = await prepareServerPaths(dataFolder, options.log);
  await stopOrphanedServer(paths, options.log);
  const { password, server, port } = await startServer(paths, options);
  const stop = once(() => stopOwned(paths, server, lock));
  try {
    await ensureDatabase(port, password);
    await writeState(paths, { ownerPid: process.pid, port });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: databaseUrl(port, password), stop };
}

async function startServer(paths: ServerPaths, options: EmbeddedServerOptions) {
  const { log, durable = true, connections = 0 } = options;
  const binaries = await findPostgresBinaries(paths.osUser, log);
  const password = await ensureCluster(paths, binaries, durable);
  const { port, server } = await startOnPort(options.port, async (port) => ({
    port,
    server: await supervisePostmaster(
      paths,
      (onUnexpectedExit) =>
        startPostmaster(
          binaries.postgres,
          serverArguments(paths.cluster, port, { durable, connections }),
          paths,
          onUnexpectedExit,
        ),
      log,
    ),
  }));
  return { password, port, server };
}

async function stopOwned(paths: ServerPaths, server: SupervisedPostmaster, lock: DataFolderLock): Promise<void> {
  try {
    await removeState(paths);
    await server.stop();
  } finally {
    await lock.release();
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
