import type { Clock } from '../../accounts/index.js';
import { backoffMs, retry, type RetryPolicy } from '../../async/retry.js';
import { withTimeout } from '../../async/with-timeout.js';
import type { Database } from '../../database/connection/database.js';
import { inTransaction } from '../../database/connection/transaction.js';
import { isConnectionFailure } from '../../database/errors/database-errors.js';
import { redactErrorMessage, stackFrames } from '../../database/errors/redact-error.js';
import { claimTask, type ClaimedTask } from '../../database/outbox/claim-task.js';
import { completeTask, LeaseLostError } from '../../database/outbox/complete-task.js';
import { failTask } from '../../database/outbox/fail-task.js';
import { isError, PermanentError, UnavailableError } from '../../errors/index.js';
import type { JobsLogger } from './jobs-logger.js';
import type { CompleteInTransaction, TaskHandler } from './task-handler.js';

export interface RunTaskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobsLogger;
  readonly handlers: ReadonlyMap<string, TaskHandler>;
  /** Dispatches a task again when its next attempt is due. */
  readonly dispatchAfter: (taskId: string, inMs: number) => void;
}

/** Lease of an attempt. Other workers may claim the task after it has expired. */
export const LEASE_MS = 60_000;
/** Shorter than the lease: a handler that hangs is recorded as a failed attempt. */
export const HANDLER_TIMEOUT_MS = 50_000;
/** Delays from 0.1 s, doubled each time, add up to 12.7 s: longer than a restart of the database takes. */
const RECORD_POLICY: RetryPolicy = {
  maxAttempts: 8,
  delayMs: (failures) => backoffMs(100, failures),
  isRetryable: (error) => error instanceof UnavailableError || isConnectionFailure(error),
};

/**
 * Makes one attempt at a task, if it is due, and records its outcome.
 *
 * @throws UnavailableError `DATABASE_UNAVAILABLE` when the claim or the record fails. The task stays due, or becomes
 *   due when its lease expires.
 */
export async function runTask(deps: RunTaskDeps, taskId: string): Promise<void> {
  const task = await claimTask(deps.database, taskId, deps.clock.now(), LEASE_MS);
  if (task === null) return;
  if (task.status === 'FAILED') {
    deps.log.error(toLogFields(task), 'Task failed permanently; its last attempt never ended');
    return;
  }
  try {
    await withTimeout(HANDLER_TIMEOUT_MS, runHandler(deps, task));
  } catch (error) {
    await recordFailure(deps, task, error);
  }
}

async function runHandler(deps: RunTaskDeps, task: ClaimedTask): Promise<void> {
  const { database, clock } = deps;
  const handler = deps.handlers.get(task.name);
  if (handler === undefined) throw new Error(`No handler for tasks named ${task.name}`);
  if ('run' in handler) {
    const outcome = await handler.run(task);
    // Retried, because the effect cannot be rolled back.
    await retry(RECORD_POLICY, () => completeTask(database.fork(), task, outcome, clock.now()));
    return;
  }
  const complete: CompleteInTransaction = (work) =>
    inTransaction(database, async (em) => {
      const outcome = await work(em);
      await completeTask(em, task, outcome, clock.now());
    });
  if ('runQueued' in handler) await handler.runQueued(task, complete);
  else await complete((em) => handler.runInTransaction(em, task));
}

async function recordFailure(deps: RunTaskDeps, task: ClaimedTask, error: unknown): Promise<void> {
  if (error instanceof LeaseLostError) {
    deps.log.warn(toLogFields(task), 'Task lease lost; another worker has taken over the task');
    return;
  }
  const reason = redactErrorMessage(error);
  const isPermanent = error instanceof PermanentError;
  const failed = await retry(RECORD_POLICY, () => failTask(deps.database, task, reason, deps.clock.now(), isPermanent));
  if (failed === null) return;
  const fields = { ...toLogFields(task), reason, stack: isError(error) ? stackFrames(error) : [] };
  if (failed.dueAt === null) {
    deps.log.error(
      fields,
      isPermanent ? 'Task failed permanently; no retry can succeed' : 'Task failed permanently after its last attempt',
    );
    return;
  }
  deps.log.warn({ ...fields, nextAttemptAt: failed.dueAt }, 'Task attempt failed; the task is retried');
  deps.dispatchAfter(task.id, failed.dueAt.getTime() - deps.clock.now().getTime());
}

function toLogFields(task: ClaimedTask): { taskId: string; task: string; attempts: number } {
  return { taskId: task.id, task: task.name, attempts: task.attempts };
}
