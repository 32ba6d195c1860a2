import type { Settings } from '../config/index.js';
import type { ServerLogger } from '../database/embedded/system/server-logger.js';

/** The database server of the service. */
interface DatabaseServer {
  readonly url: string;
  /** Stops the embedded server. Does nothing for a configured one. */
  stop(): Promise<void>;
}

/**
 * Returns the configured server, or starts the embedded one, which grants the connections of all processes.
 *
 * Imports the embedded server only when it is used.
 */
export async function openDatabaseServer(settings: Settings, log: ServerLogger): Promise<DatabaseServer> {
  if (settings.DATABASE_URL !== null) return { url: settings.DATABASE_URL, stop: () => Promise.resolve() };
  const { startEmbeddedServer } = await import('../database/embedded/embedded-server.js');
  const connections = settings.WEB_CONCURRENCY * settings.DATABASE_POOL;
  return startEmbeddedServer({ dataDir: settings.DATA_DIR, log, connections });
}
