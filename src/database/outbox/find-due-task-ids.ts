import type { Database } from '../connection/database.js';
import { statement } from '../connection/statement.js';

const DUE = statement<{ id: string }>(
  'due_tasks',
  `
  select id from outbox_task where due_at <= $1 order by due_at limit $2`,
);

/**
 * The tasks that may run, longest due first: those that are queued, and those whose lease has expired.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function findDueTaskIds(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await database.query(DUE, [now, limit]);
  return rows.map(({ id }) => id);
}
