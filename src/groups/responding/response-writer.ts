import DataLoader from 'dataloader';
import type { Database } from '../../database/index.js';
import type { ResponseChanges } from './decide-responses.js';
import { responseValues, WRITE_RESPONSES } from './write-responses.js';

/** Bounds the locks of one statement. */
const MAX_GROUPS_PER_STATEMENT = 100;

/**
 * Stores the changes of one group; at most one call per group at a time.
 *
 * @returns false when the group has changed since it was read or is being changed; nothing was stored then
 * @throws Error of the database, also when it has rejected the changes of another group
 */
export type WriteResponses = (changes: ResponseChanges) => Promise<boolean>;

/** Creates a function that stores the changes of all groups of one event-loop iteration by one statement. */
export function createResponseWriter(database: Database): WriteResponses {
  const loader = new DataLoader<ResponseChanges, boolean>((changes) => writeAll(database, changes), {
    cache: false,
    maxBatchSize: MAX_GROUPS_PER_STATEMENT,
    // As for batches of reads: after the poll phase.
    batchScheduleFn: (sendOff) => setImmediate(sendOff),
  });
  return (changes) => loader.load(changes);
}

async function writeAll(database: Database, changes: readonly ResponseChanges[]): Promise<boolean[]> {
  const rows = await database.write(WRITE_RESPONSES, responseValues(changes), { idempotent: false });
  const written = new Set(rows.map(({ id }) => id));
  return changes.map(({ group }) => written.has(group.id));
}
