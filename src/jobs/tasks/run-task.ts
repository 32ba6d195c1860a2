import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { backoffMs, retry, type RetryPolicy } from '../../async/retry.js';
import { withTimeout } from '../../async/with-timeout.js';
import type { Database } from '../../database/connection/database.js';
import { inTransaction } from '../../database/connection/transaction.js';
import { isConnectionFailure } from '../../database/errors/database-errors.js';
import { redactErrorMessage, stackFrames } from '../../database/errors/redact-error.js';
import type { ClaimedTask } from '../../database/outbox/claim-tasks.js';
import { completeInTransaction, LeaseLostError } from '../../database/outbox/complete-tasks.js';
import { failTask } from '../../database/outbox/fail-task.js';
import { isError, PermanentError, UnavailableError } from '../../errors/index.js';
import type { JobsLogger } from './jobs-logger.js';
import { createBatchRun } from './run-in-batch.js';
import type { Completed, TaskHandler, TaskOutcome } from './task-handler.js';
import { createTaskStatements, type TaskStatements } from './task-statements.js';

export interface RunTaskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobsLogger;
  readonly handlers: readonly TaskHandler[];
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

type RunAttempt = (task: ClaimedTask) => Promise<TaskOutcome | Completed>;

interface TaskRun extends RunTaskDeps {
  readonly statements: TaskStatements;
  /** By name of the task. */
  readonly attempts: ReadonlyMap<string, RunAttempt>;
}

/**
 * Creates the function that makes one attempt at a task, if it is due, and records its outcome. Tasks that it runs
 * concurrently share the statements that claim and complete them.
 *
 * The function throws UnavailableError `DATABASE_UNAVAILABLE` when the claim or the record fails. The task stays due,
 * or becomes due when its lease expires.
 */
export function createTaskRun(deps: RunTaskDeps): (taskId: string) => Promise<void> {
  const attempts = new Map(deps.handlers.map((handler) => [handler.name, createAttempt(deps, handler)]));
  const run = { ...deps, attempts, statements: createTaskStatements(deps, LEASE_MS) };
  return (taskId) => runTask(run, taskId);
}

async function runTask(run: TaskRun, taskId: string): Promise<void> {
  const task = await run.statements.claim(taskId);
  if (task === null) return;
  if (task.status === 'FAILED') {
    run.log.error(toLogFields(task), 'Task failed permanently; its last attempt never ended');
    return;
  }
  try {
    await withTimeout(HANDLER_TIMEOUT_MS, runHandler(run, task));
  } catch (error) {
    await recordFailure(run, task, error);
  }
}

async function runHandler({ attempts, statements }: TaskRun, task: ClaimedTask): Promise<void> {
  const attempt = attempts.get(task.name);
  if (attempt === undefined) throw new Error(`No handler for tasks named ${task.name}`);
  const outcome = await attempt(task);
  // Retried, because the effect cannot be rolled back.
  if (outcome !== 'COMPLETED') await retry(RECORD_POLICY, () => statements.complete(task, outcome));
}

function createAttempt(deps: RunTaskDeps, handler: TaskHandler): RunAttempt {
  if ('run' in handler) return (task) => handler.run(task);
  if ('runBatch' in handler) return createBatchRun(handler);
  if ('runQueued' in handler) return (task) => handler.runQueued(task, (work) => completeWith(deps, task, work));
  return (task) => completeWith(deps, task, (em) => handler.runInTransaction(em, task));
}

async function completeWith(
  { database, clock }: RunTaskDeps,
  task: ClaimedTask,
  work: (em: EntityManager) => Promise<TaskOutcome>,
): Promise<Completed> {
  await inTransaction(database, async (em) => {
    const outcome = await work(em);
    await completeInTransaction(em, task, outcome, clock.now());
  });
  return 'COMPLETED';
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
