import ormConfig from '../../../mikro-orm.config.js';
import { readMigrationState } from '../../database/index.js';
import { openCore, type Core } from '../../open-core.js';
import { abortable } from './abortable.js';
import type { CommandContext } from './command-context.js';
import { openCommandDatabase } from './command-database.js';
import { createCommandLogger } from './command-logger.js';
import { requireCurrentSchema } from './require-schema.js';

/**
 * Runs `work` on the core of the service, with or without a running service. Closes core and database afterwards.
 *
 * @throws CommandError when the database has another schema version
 * @throws InterruptedError when a signal stops the command
 */
export async function withCore<T>(context: CommandContext, work: (core: Core) => Promise<T>): Promise<T> {
  const settings = context.loadSettings();
  const log = createCommandLogger(settings.LOG_LEVEL);
  const database = await openCommandDatabase(settings, log);
  try {
    requireCurrentSchema(database.kind, await readMigrationState(database.url, ormConfig));
    const core = await openCore(settings, { databaseUrl: database.url, log, stop: context.stop });
    try {
      return await abortable(context.stop, () => work(core));
    } finally {
      await core.close();
    }
  } finally {
    await database.release();
  }
}
