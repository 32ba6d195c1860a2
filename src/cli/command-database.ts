import type { Settings } from '../config/index.js';
import { findRunningServer, startEmbeddedServer } from '../database/embedded/embedded-server.js';

/** The service's database, in the hands of a command. */
export interface CommandDatabase {
  readonly url: string;
  /** `own`: DATABASE_URL; `beside`: the embedded one of a running service; `started`: the embedded one, up for this command only. */
  readonly kind: 'own' | 'beside' | 'started';
  release(): Promise<void>;
}

interface CommandDatabaseLog {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * Finds the database that the settings mean, whether or not a service runs on it.
 *
 * @throws EmbeddedServerError when the embedded server neither runs nor starts
 */
export async function openCommandDatabase(settings: Settings, log: CommandDatabaseLog): Promise<CommandDatabase> {
  if (settings.DATABASE_URL !== null) return { url: settings.DATABASE_URL, kind: 'own', release: nothingToRelease };
  const running = await findRunningServer(settings.DATA_DIR);
  if (running !== null) return { url: running.url, kind: 'beside', release: nothingToRelease };
  const server = await startEmbeddedServer({ dataDir: settings.DATA_DIR, log });
  return { url: server.url, kind: 'started', release: () => server.stop() };
}

function nothingToRelease(): Promise<void> {
  return Promise.resolve();
}
