import type { MigrationState } from '../database/index.js';
import type { CommandDatabase } from './command-database.js';
import { CommandError } from './command-error.js';

/**
 * Refuses to work on a schema of another version of Convene.
 *
 * A command never migrates behind a running service's back: the service would go on with statements for the old schema.
 * A server that runs for this command alone has no service, and is brought up to date as a start would do.
 *
 * @throws CommandError with what to do
 */
export function requireCurrentSchema(kind: CommandDatabase['kind'], state: MigrationState): void {
  requireCompatibleSchema(state);
  if (state.pending.length === 0) return;
  switch (kind) {
    case 'own':
      throw new CommandError(`The database lacks ${state.pending.join(', ')}: run "convene migrate" first.`);
    case 'beside':
      throw new CommandError(
        'The running service is of an older version than this command: stop it and start it anew, which brings its database up to date.',
      );
    case 'started':
      return;
  }
}

/** @throws CommandError when a newer version of Convene has migrated the database */
export function requireCompatibleSchema({ unknown }: MigrationState): void {
  if (unknown.length > 0) {
    throw new CommandError(
      `The database belongs to a newer version of Convene than this command (it has ${unknown.join(', ')}): use that version.`,
    );
  }
}
