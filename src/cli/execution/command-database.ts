import type { Settings } from '../../config/index.js';
import { findRunningServer, startEmbeddedServer } from '../../database/embedded/embedded-server.js';

/** Database of the service, as used by a command. */
export interface CommandDatabase {
  readonly url: string;
  /**
   * - `external`: the server of `DATABASE_URL`.
   * - `shared`: the embedded server of a running service.
   * - `temporary`: the embedded server, started for this command and stopped by `release()`.
   */
  readonly kind: 'external' | 'shared' | 'temporary';
  release(): Promise<void>;
}

interface CommandDatabaseLogger {
  info(message: string): void;
  warn(message: string): void;
}

/**
 * Opens the database of the settings, with or without a running service. Starts the embedded server when none runs.
 *
 * @throws EmbeddedServerError when the embedded server does not start
 */
export async function openCommandDatabase(settings: Settings, log: CommandDatabaseLogger): Promise<CommandDatabase> {
  if (settings.DATABASE_URL !== null) return { url: settings.DATABASE_URL, kind: 'external', release: releaseNothing };
  const running = await findRunningServer(settings.DATA_DIR);
  if (running !== null) return { url: running.url, kind: 'shared', release: releaseNothing };
  const server = await startEmbeddedServer({ dataDir: settings.DATA_DIR, log });
  return { url: server.url, kind: 'temporary', release: () => server.stop() };
}

function releaseNothing(): Promise<void> {
  return Promise.resolve();
}
