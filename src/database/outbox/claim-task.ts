import type { Database } from '../connection/database.js';
import { statement } from '../connection/statement.js';
import type { TaskPayload } from './outbox-task.entity.js';
import { MAX_ATTEMPTS } from './retry-policy.js';

/** One attempt at a task. Whoever holds the latest one is the only one who may end it. */
export interface ClaimedTask {
  readonly id: string;
  readonly name: string;
  readonly payload: TaskPayload;
  /** 1 at the first attempt; also what fences off whoever held an earlier one. */
  readonly attempts: number;
  /** `FAILED`: the process that ran the last attempt never came back, so there is nothing left to run. */
  readonly status: 'RUNNING' | 'FAILED';
}

const ABANDONED = 'The process that ran it ended, or took too long.';

/** The row's lock decides between two claims at the same moment: the second then finds it no longer due. */
const CLAIM = statement<ClaimedTask>(
  'claim_task',
  `
  update outbox_task set
    status = case when attempts < $4 then 'RUNNING' else 'FAILED' end,
    attempts = least(attempts + 1, $4),
    due_at = case when attempts < $4 then $3::timestamptz end,
    finished_at = case when attempts < $4 then null else $2::timestamptz end,
    last_error = case when status = 'RUNNING' then $5 else last_error end
  where id = $1 and due_at <= $2
  returning id, name, payload, attempts, status`,
);

/**
 * Takes a task that is due: one that waits, or one whose worker has not ended it within its lease.
 *
 * A lease that ran out counts as an attempt, so a task that kills its process every time comes back `FAILED`
 * after its last attempt instead of going round for ever.
 *
 * @param leaseMs how long the caller may take; after that, others may take the task over
 * @returns null when the task is not due, over, in another worker's hands or gone
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function claimTask(
  database: Database,
  id: string,
  now: Date,
  leaseMs: number,
): Promise<ClaimedTask | null> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const values = [id, now, leasedUntil, MAX_ATTEMPTS, ABANDONED];
  // A repeated claim finds the task no longer due: the first one then ends with its lease.
  const [claimed] = await database.execute(CLAIM, values, { idempotent: true });
  return claimed ?? null;
}
