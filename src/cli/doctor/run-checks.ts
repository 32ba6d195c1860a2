import ormConfig from '../../../mikro-orm.config.js';
import type { Settings } from '../../config/index.js';
import { createDatabaseClient } from '../../database/client/database-client.js';
import { readMigrationState } from '../../database/index.js';
import { explainOperationalError } from '../../explain-operational-error.js';
import { openCommandDatabase, type CommandDatabase } from '../execution/command-database.js';
import { createCommandLogger } from '../execution/command-logger.js';
import { checkConnections } from './check-connections.js';
import { checkDataFolder } from './check-data-folder.js';
import { checkJobs } from './check-jobs.js';
import { checkMail } from './check-mail.js';
import { checkMigrations } from './check-migrations.js';
import { checkNode } from './check-node.js';
import { checkPooler } from './check-pooler.js';
import { checkPublicUrl } from './check-public-url.js';
import type { CheckResult } from './check-result.js';
import { checkServer } from './check-server.js';
import { checkSettings } from './check-settings.js';

/** Runs the checks in order. A check that depends on a failed one is left out. */
export async function* runChecks(loadSettings: () => Settings): AsyncGenerator<CheckResult> {
  yield checkNode();
  const { result, settings } = checkSettings(loadSettings);
  yield result;
  if (settings === null) return;
  yield checkPublicUrl(settings);
  const dataFolder = await checkDataFolder(settings.DATA_DIR);
  yield dataFolder;
  if (dataFolder.state !== 'error' || settings.DATABASE_URL !== null) yield* checkDatabase(settings);
  yield await checkMail(settings);
}

async function* checkDatabase(settings: Settings): AsyncGenerator<CheckResult> {
  try {
    const database = await openCommandDatabase(settings, createCommandLogger(settings.LOG_LEVEL));
    try {
      yield* checkOpenedDatabase(settings, database);
    } finally {
      await database.release();
    }
  } catch (error) {
    const explanation = explainOperationalError(error);
    if (explanation === null) throw error;
    yield { subject: 'Database', state: 'error', text: explanation };
  }
}

async function* checkOpenedDatabase(settings: Settings, database: CommandDatabase): AsyncGenerator<CheckResult> {
  const client = createDatabaseClient({ url: database.url, purpose: 'doctor' });
  await client.connect();
  try {
    const state = await readMigrationState(database.url, ormConfig);
    yield await checkServer(client, database.kind, state.pending.length > 0);
    // A pooler shares the connections of the server among the processes.
    if (settings.DATABASE_POOLER === 'none') yield await checkConnections(client, settings);
    const pooler = await checkPooler(settings, client, database.url);
    if (pooler !== null) yield pooler;
    yield checkMigrations(database.kind, state);
    // Before the migrations there are no tables of jobs.
    if (state.pending.length === 0) yield await checkJobs(settings, database, client);
  } finally {
    await client.end();
  }
}
