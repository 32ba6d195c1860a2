import ormConfig from '../../../mikro-orm.config.js';
import { startEmbeddedServer, type EmbeddedServer } from '../../../src/database/embedded/embedded-server.js';
import { migrate } from '../../../src/database/schema/migrate.js';
import { createTemporaryFolder, removeFolder, removeLeftoverFolders } from './temporary-folder.js';
import { databaseUrl, SERVER_URL_VARIABLE, TEMPLATE, withClient } from './test-database.js';

let running: { server: EmbeddedServer; folder: string } | undefined;

/**
 * Starts one PostgreSQL server for all test files, with a template database of the current schema. Runs before all
 * tests.
 */
export async function startTestServer(): Promise<void> {
  await removeLeftoverFolders();
  const folder = await createTemporaryFolder();
  const server = await startEmbeddedServer({ dataDir: folder, durable: false, log: console });
  running = { server, folder };
  process.env[SERVER_URL_VARIABLE] = server.url;
  await createTemplate(server.url);
}

export async function stopTestServer(): Promise<void> {
  await running?.server.stop();
  if (running) await removeFolder(running.folder);
}

async function createTemplate(serverUrl: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(`create database ${TEMPLATE}`));
  await migrate(databaseUrl(serverUrl, TEMPLATE), { ...ormConfig, logger: () => undefined });
}
