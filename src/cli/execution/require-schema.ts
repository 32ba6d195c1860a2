import type { MigrationState } from '../../database/index.js';
import type { CommandDatabase } from './command-database.js';
import { CommandError } from './command-error.js';

/**
 * Requires the schema version of this command. A temporary server may have pending migrations, since opening the core
 * applies them.
 *
 * @throws CommandError when migrations are pending or unknown; the message states the remedy
 *
 * Reason: a command must not migrate the database of a running service, whose statements fit the old schema.
 */
export function requireCurrentSchema(kind: CommandDatabase['kind'], state: MigrationState): void {
  requireCompatibleSchema(state);
  if (state.pending.length === 0) return;
  switch (kind) {
    case 'external':
      throw new CommandError(`The database lacks ${state.pending.join(', ')}: run "convene migrate" first.`);
    case 'shared':
      throw new CommandError(
        'The running service is of an older version than this command: stop it and start it anew, which brings its ' +
          'database up to date.',
      );
    case 'temporary':
      return;
  }
}

/** @throws CommandError when a newer version of Convene migrated the database */
export function requireCompatibleSchema({ unknown }: MigrationState): void {
  if (unknown.length > 0) {
    throw new CommandError(
      `The database belongs to a newer version of Convene than this command (it has ${unknown.join(', ')}): use ` +
        `that version.`,
    );
  }
}
