import type { Database } from '../connection/database.js';
import { statement } from '../connection/statement.js';
import type { TaskPayload } from './outbox-task.entity.js';
import { MAX_ATTEMPTS } from './retry-policy.js';

/** One attempt at a task. Only the latest attempt may complete or fail the task. */
export interface ClaimedTask {
  readonly id: string;
  readonly name: string;
  readonly payload: TaskPayload;
  /** 1 at the first attempt; also the fencing token that rejects earlier attempts. */
  readonly attempts: number;
  /** `FAILED`: the lease of the last attempt expired, and no attempt is left. */
  readonly status: 'RUNNING' | 'FAILED';
}

const ABANDONED = 'The process that ran it ended, or took too long.';

/** The row lock serializes concurrent claims: the second one finds the task no longer due. */
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
 * Claims a task that is due: one that is queued, or one whose lease has expired.
 *
 * An expired lease counts as an attempt, so a task that always kills its process is `FAILED` after its last attempt.
 *
 * @param leaseMs milliseconds after which other workers may claim the task
 * @returns null when the task is not due, finished, claimed by another worker or deleted
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
  const [claimed] = await database.write(CLAIM, values, { idempotent: true });
  return claimed ?? null;
}
