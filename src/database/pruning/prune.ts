import type pg from 'pg';
import type { RetentionRule } from './retention-rule.js';

/** Bounds what one statement locks, and for how long. */
export const BATCH_ROWS = 1_000;
/** Bounds one round; the next round deletes the rest. */
const MAX_BATCHES = 50;

/**
 * SQL that deletes one batch by `ctid`, because not every primary key is one column. Rows that are locked or change
 * concurrently are skipped until the next round.
 */
export function pruneStatement({ table, ageColumn, condition }: RetentionRule): string {
  return `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${condition}
    order by ${ageColumn} limit ${String(BATCH_ROWS)} for update skip locked))`;
}

/**
 * Deletes the rows of a retention rule in batches, each in a transaction of its own. Processes may run it concurrently.
 *
 * @param signal ends the work after the batch in flight
 * @throws Error of the driver
 */
export async function prune(pool: pg.Pool, outdated: RetentionRule, now: Date, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
    const { rowCount } = await pool.query(pruneStatement(outdated), [now]);
    if ((rowCount ?? 0) < BATCH_ROWS) return;
  }
}
