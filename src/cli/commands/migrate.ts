import { Command } from 'commander';
import ormConfig from '../../../mikro-orm.config.js';
import type { Settings } from '../../config/index.js';
import { migrate, MigrationInterruptedError, readMigrationState } from '../../database/index.js';
import { directAddressOf } from '../../open-core.js';
import type { CommandContext } from '../execution/command-context.js';
import { openCommandDatabase, type CommandDatabase } from '../execution/command-database.js';
import { InterruptedError } from '../execution/command-error.js';
import { createCommandLogger } from '../execution/command-logger.js';
import { requireCompatibleSchema, requireCurrentSchema } from '../execution/require-schema.js';

const EXAMPLES = `
Every start of the service does the same by itself.
Before a rolling update of several processes it is done once by hand:
  DATABASE_URL=postgres://… convene migrate`;

export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('Bring the database up to date.')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const settings = context.loadSettings();
      const database = await openCommandDatabase(settings, createCommandLogger(settings.LOG_LEVEL));
      try {
        const done = await migrateSafely(database, settings, context);
        context.terminal.print(
          done.length === 0 ? 'The database is up to date.' : `Brought up to date: ${done.join(', ')}.`,
        );
      } finally {
        await database.release();
      }
    });
}

/** An embedded server is not migrated under a running service. With DATABASE_URL the operator decides. */
async function migrateSafely(
  { url, kind }: CommandDatabase,
  settings: Settings,
  { terminal, stop }: CommandContext,
): Promise<string[]> {
  const state = await readMigrationState(url, ormConfig);
  if (kind === 'external') requireCompatibleSchema(state);
  else requireCurrentSchema(kind, state);
  const direct = directAddressOf(url, settings);
  try {
    return await migrate(direct.url, ormConfig, {
      pooler: direct.pooler,
      stop,
      onWait: () => {
        terminal.report('Waiting for another process, which migrates the database …');
      },
    });
  } catch (error) {
    throw error instanceof MigrationInterruptedError ? new InterruptedError() : error;
  }
}
