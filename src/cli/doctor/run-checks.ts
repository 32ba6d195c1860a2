import pg from 'pg';
import ormConfig from '../../../mikro-orm.config.js';
import type { Settings } from '../../config/index.js';
import { readMigrationState } from '../../database/index.js';
import { explainOperationalError } from '../../explain-operational-error.js';
import { openCommandDatabase, type CommandDatabase } from '../command-database.js';
import { createCommandLogger } from '../command-logger.js';
import { checkDataFolder } from './check-data-folder.js';
import { checkJobs } from './check-jobs.js';
import { checkMail } from './check-mail.js';
import { checkMigrations } from './check-migrations.js';
import { checkNode } from './check-node.js';
import type { CheckResult } from './check-result.js';
import { checkServer } from './check-server.js';
import { checkSettings } from './check-settings.js';

/** Looks at everything that the service needs, one thing after the other, as far as each allows to look at the next. */
export async function* runChecks(loadSettings: () => Settings): AsyncGenerator<CheckResult> {
  yield checkNode();
  const { finding, settings } = checkSettings(loadSettings);
  yield finding;
  if (settings === null) return;
  const dataFolder = await checkDataFolder(settings.DATA_DIR);
  yield dataFolder;
  if (dataFolder.state !== 'wrong' || settings.DATABASE_URL !== null) yield* examineDatabase(settings);
  yield await checkMail(settings);
}

async function* examineDatabase(settings: Settings): AsyncGenerator<CheckResult> {
  try {
    const database = await openCommandDatabase(settings, createCommandLogger(settings.LOG_LEVEL));
    try {
      yield* examineOpened(settings, database);
    } finally {
      await database.release();
    }
  } catch (error) {
    const advice = explainOperationalError(error);
    if (advice === null) throw error;
    yield { about: 'Database', state: 'wrong', text: advice };
  }
}

async function* examineOpened(settings: Settings, database: CommandDatabase): AsyncGenerator<CheckResult> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'convene doctor' });
  await client.connect();
  try {
    yield await checkServer(client, database.kind);
    const state = await readMigrationState(database.url, ormConfig);
    yield checkMigrations(database.kind, state);
    // Before the migrations there is nothing to find jobs in.
    if (state.pending.length === 0) yield await checkJobs(settings, database, client);
  } finally {
    await client.end();
  }
}
