import type { Database } from '../connection/database.js';
import { statement } from '../connection/statement.js';
import type { ClaimedTask } from './claim-tasks.js';
import { MAX_ATTEMPTS, retryDelayMs } from './retry-policy.js';

/** The state of a task after a failed attempt. */
export interface FailedAttempt {
  /** `QUEUED`: it is retried when it is due. */
  readonly status: 'QUEUED' | 'FAILED';
  /** Null when it is not retried. */
  readonly dueAt: Date | null;
}

const FAIL = statement<FailedAttempt>(
  'fail_task',
  `
  update outbox_task set status = $3, due_at = $4, finished_at = $5, last_error = $6
  where id = $1 and attempts = $2 and status = 'RUNNING'
  returning status, due_at as "dueAt"`,
);

/**
 * Records a failed attempt: the task is queued for its next attempt, or is `FAILED` after its last.
 *
 * @param reason shown to administrators; see `redactErrorMessage`
 * @param isPermanent true when no further attempt is made
 * @returns null when another worker has claimed the task; nothing is changed then
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function failTask(
  database: Database,
  task: Pick<ClaimedTask, 'id' | 'attempts'>,
  reason: string,
  now: Date,
  isPermanent = false,
): Promise<FailedAttempt | null> {
  const isLast = isPermanent || task.attempts >= MAX_ATTEMPTS;
  const dueAt = isLast ? null : new Date(now.getTime() + retryDelayMs(task.attempts));
  const values = [task.id, task.attempts, isLast ? 'FAILED' : 'QUEUED', dueAt, isLast ? now : null, reason];
  const [failed] = await database.write(FAIL, values, { idempotent: true });
  return failed ?? null;
}
