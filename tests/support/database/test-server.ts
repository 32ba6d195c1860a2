import ormConfig from '../../../mikro-orm.config.js';
import { startEmbeddedServer, type EmbeddedServer } from '../../../src/database/embedded-server.js';
import { migrate } from '../../../src/database/migrate.js';
import { makeTemporaryFolder, removeFolder, removeLeftoverFolders } from './temporary-folder.js';
import { SERVER_URL_VARIABLE, TEMPLATE, urlOf, withClient } from './test-database.js';

let running: { server: EmbeddedServer; folder: string } | undefined;

/**
 * Starts one PostgreSQL server for all test files, with a template database of the current schema. Runs before all
 * tests.
 */
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
