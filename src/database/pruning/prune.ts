import type pg from 'pg';
import type { RetentionRule } from './retention-rule.js';

/** Bounds what one statement locks, and for how long. */
export const BATCH_ROWS = 1_000;
/** Bounds what one round takes on; the rest is for the next one. */
const MOST_BATCHES = 50;

/**
 * By the rows' places, since not every key is one column. Rows that others have locked are in use, or another process is erasing
 * them: either way they are left to the next round, as are those that change meanwhile.
 */
export function pruneStatement({ table, ageColumn, condition }: RetentionRule): string {
  return `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${condition} order by ${ageColumn} limit ${String(BATCH_ROWS)} for update skip locked))`;
}

/**
 * Erases rows that are of no use any more, in batches, each of which stands for itself.
 *
 * Any number of processes may do so at once.
 *
 * @param signal ends the work after the batch that is under way
 * @throws Error of the driver
 */
export async function prune(pool: pg.Pool, outdated: RetentionRule, now: Date, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES && !signal.aborted; batch += 1) {
    const { rowCount } = await pool.query(pruneStatement(outdated), [now]);
    if ((rowCount ?? 0) < BATCH_ROWS) return;
  }
}
