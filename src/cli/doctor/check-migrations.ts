import type { MigrationState } from '../../database/index.js';
import type { CommandDatabase } from '../command-database.js';
import { CommandError } from '../command-error.js';
import { requireCurrentSchema } from '../require-schema.js';
import type { CheckResult } from './check-result.js';

const about = 'Migrations';

/** Whether commands and the service can work on this schema, by the same rule that stops them otherwise. */
export function checkMigrations(kind: CommandDatabase['kind'], state: MigrationState): CheckResult {
  try {
    requireCurrentSchema(kind, state);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { about, state: 'wrong', text: error.message };
  }
  if (state.pending.length === 0) return { about, state: 'fine', text: 'up to date' };
  return { about, state: 'note', text: `the next start brings the database up to date (${state.pending.join(', ')})` };
}
