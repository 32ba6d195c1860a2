import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../connection/database.js';
import { statement } from '../connection/statement.js';
import { transactionOf } from '../connection/transaction-of.js';
import type { ClaimedTask } from './claim-tasks.js';

/** One attempt at a task. */
export type TaskAttemptKey = Pick<ClaimedTask, 'id' | 'attempts'>;

export type CompletedStatus = 'DONE' | 'SKIPPED';

export interface TaskCompletion extends TaskAttemptKey {
  readonly status: CompletedStatus;
}

/** Another worker has claimed or finished the task, so this attempt must not complete it. */
export class LeaseLostError extends Error {
  constructor(task: TaskAttemptKey) {
    super(`attempt ${task.attempts} at task ${task.id} was overtaken`);
    this.name = 'LeaseLostError';
  }
}

/**
 * The order of the locks keeps two statements on the same tasks from a deadlock. The ids are named again, because a
 * plan that was made for a small table would read the whole table.
 */
const COMPLETE = statement<{ readonly id: string }>(
  'complete_tasks',
  `
  with mine as (
    select task.id, attempt.status
    from unnest($1::uuid[], $2::integer[], $3::text[]) as attempt (id, attempts, status)
    join outbox_task task on task.id = attempt.id
    where task.id = any($1::uuid[]) and task.attempts = attempt.attempts and task.status = 'RUNNING'
    order by task.id for update of task
  )
  update outbox_task task set status = mine.status, due_at = null, finished_at = $4, last_error = null
  from mine where task.id = mine.id and task.id = any($1::uuid[])
  returning task.id`,
);

/**
 * Marks tasks as finished whose effects are outside the database, or which have none.
 *
 * @returns the finished ones, without those that another worker has claimed
 * @throws UnavailableError `DATABASE_UNAVAILABLE`, after which they may be finished
 */
export function completeTasks(
  database: Database,
  completions: readonly TaskCompletion[],
  now: Date,
): Promise<{ readonly id: string }[]> {
  return database.write(COMPLETE, toValues(completions, now), { idempotent: false });
}

/**
 * Marks a task as finished in the transaction of its effect, so that both are committed or neither.
 *
 * @throws LeaseLostError when another worker has claimed the task; the transaction must then be rolled back
 */
export async function completeInTransaction(
  em: EntityManager,
  task: TaskAttemptKey,
  status: CompletedStatus,
  now: Date,
): Promise<void> {
  const { id, attempts } = task;
  const finished = await transactionOf(em).query(COMPLETE, toValues([{ id, attempts, status }], now));
  if (finished.length === 0) throw new LeaseLostError(task);
}

function toValues(completions: readonly TaskCompletion[], now: Date): readonly unknown[] {
  return [
    completions.map(({ id }) => id),
    completions.map(({ attempts }) => attempts),
    completions.map(({ status }) => status),
    now,
  ];
}
