import type { Database } from '../../../src/database/index.js';
import type { RetentionRule } from '../../../src/database/pruning/retention-rule.js';
import { pruneAll } from '../../../src/database/pruning/start-pruning.js';

/** Runs one round of pruning, as a process does about every minute. */
export function pruneOnce(database: Database, now: Date, outdated: readonly RetentionRule[]): Promise<void> {
  const fail = (error: unknown): never => {
    throw error;
  };
  return pruneAll({ database, clock: { now: () => now }, outdated, onError: fail }, new AbortController().signal);
}
