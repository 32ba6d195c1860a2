import ormConfig from '../../mikro-orm.config.js';
import { startEmbeddedServer, type EmbeddedServer } from '../../src/database/embedded/embedded-server.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { SERVER_URL_VARIABLE, TEMPLATE, urlOf, withClient } from './database.js';
import { makeTemporaryFolder, removeFolder, removeLeftoverFolders } from './temporary-folder.js';

let running: { server: EmbeddedServer; folder: string } | undefined;

/** Before all tests: one PostgreSQL for all files, with a database of the current schema to copy from. */
export async function startTestServer(): Promise<void> {
  await removeLeftoverFolders();
  const folder = await makeTemporaryFolder();
  const server = await startEmbeddedServer({ dataDir: folder, durable: false, log: console });
  running = { server, folder };
  process.env[SERVER_URL_VARIABLE] = server.url;
  await makeTemplate(server.url);
}

export async function stopTestServer(): Promise<void> {
  await running?.server.stop();
  if (running) await removeFolder(running.folder);
}

async function makeTemplate(serverUrl: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(`create database ${TEMPLATE}`));
  await migrate(urlOf(serverUrl, TEMPLATE), { ...ormConfig, logger: () => undefined });
}
