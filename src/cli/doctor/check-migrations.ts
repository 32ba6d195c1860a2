import type { MigrationState } from '../../database/index.js';
import type { CommandDatabase } from '../execution/command-database.js';
import { CommandError } from '../execution/command-error.js';
import { requireCurrentSchema } from '../execution/require-schema.js';
import type { CheckResult } from './check-result.js';

const subject = 'Migrations';

/** Checks the schema version by the rule of `requireCurrentSchema`. */
export function checkMigrations(kind: CommandDatabase['kind'], state: MigrationState): CheckResult {
  try {
    requireCurrentSchema(kind, state);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { subject, state: 'error', text: error.message };
  }
  if (state.pending.length === 0) return { subject, state: 'ok', text: 'up to date' };
  return {
    subject,
    state: 'warning',
    text: `the next start brings the database up to date (${state.pending.join(', ')})`,
  };
}
