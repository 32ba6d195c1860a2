import { forgetInTasks } from '../../accounts/index.js';
import { HOUR_MS } from '../../async/durations.js';
import { inTransaction } from '../../database/connection/transaction.js';
import { MAX_ATTEMPTS } from '../../database/outbox/retry-policy.js';
import { enqueueEraseAccountTask, ERASE_ACCOUNT_TASK, finishDeletion } from '../../person-lifecycle/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Well below the lease: a large account takes many tasks, and not many attempts at one task. */
const MAX_RUN_MS = 20_000;
/** The delay before the next task, after the last attempt at one failed. */
const RESUME_AFTER_FAILURE_MS = HOUR_MS;

type EraseDeps = Pick<TaskHandlerDeps, 'database' | 'clock' | 'writeQueue'>;

/**
 * Creates the handler that removes a deleted account from its groups, and then its row. Enqueues another task for the
 * rest after 20 s. Skipped when the payload no longer names an account, because another task has finished.
 */
export function eraseAccountHandler(deps: EraseDeps): TaskHandlerDefinition {
  return {
    name: ERASE_ACCOUNT_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload: { userId }, attempts }, complete) {
      if (typeof userId !== 'string') return 'SKIPPED';
      const isFinished = await finishOrResumeLater(deps, { userId, attempts });
      return complete(async (em) => {
        if (isFinished) await forgetInTasks(em, userId);
        else enqueueEraseAccountTask(em, userId, deps.clock.now());
        return 'DONE';
      });
    },
  };
}

/**
 * Enqueues another task after the last attempt has failed, so that the deletion continues although its task is
 * `FAILED`.
 */
async function finishOrResumeLater(
  deps: EraseDeps,
  { userId, attempts }: { readonly userId: string; readonly attempts: number },
): Promise<boolean> {
  const stopAt = performance.now() + MAX_RUN_MS;
  try {
    return await finishDeletion(deps, userId, () => performance.now() < stopAt);
  } catch (error) {
    if (attempts >= MAX_ATTEMPTS) await resumeLater(deps, userId);
    throw error;
  }
}

function resumeLater({ database, clock }: EraseDeps, userId: string): Promise<void> {
  const now = clock.now();
  const dueAt = new Date(now.getTime() + RESUME_AFTER_FAILURE_MS);
  return inTransaction(database, async (em) => {
    enqueueEraseAccountTask(em, userId, now, dueAt);
  });
}
