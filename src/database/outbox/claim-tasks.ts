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

/**
 * A task that another statement has locked is not due afterwards, so it is left out. Without `skip locked`, two claims
 * of several tasks could wait for each other.
 *
 * The update names the ids again: a plan that was made for a small table would read the whole table.
 */
const CLAIM = statement<ClaimedTask>(
  'claim_tasks',
  `
  with due as (
    select id from outbox_task where id = any($1::uuid[]) and due_at <= $2 for update skip locked
  )
  update outbox_task task set
    status = case when attempts < $4 then 'RUNNING' else 'FAILED' end,
    attempts = least(attempts + 1, $4),
    due_at = case when attempts < $4 then $3::timestamptz end,
    finished_at = case when attempts < $4 then null else $2::timestamptz end,
    last_error = case when status = 'RUNNING' then $5 else last_error end
  from due where task.id = due.id and task.id = any($1::uuid[])
  returning task.id, name, payload, attempts, status`,
);

/**
 * Claims the tasks that are due: those that are queued, and those whose lease has expired.
 *
 * An expired lease counts as an attempt, so a task that always kills its process is `FAILED` after its last attempt.
 *
 * @param leaseMs milliseconds after which other workers may claim the tasks
 * @returns the claimed tasks in any order, without those that are not due, finished, claimed by another worker or
 *   deleted
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export function claimTasks(
  database: Database,
  ids: readonly string[],
  now: Date,
  leaseMs: number,
): Promise<ClaimedTask[]> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  // A repeated claim finds the tasks no longer due: the first one then ends with its lease.
  return database.write(CLAIM, [ids, now, leasedUntil, MAX_ATTEMPTS, ABANDONED], { idempotent: true });
}
