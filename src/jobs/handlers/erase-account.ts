import { forgetInTasks } from '../../accounts/index.js';
import { HOUR_MS } from '../../async/durations.js';
import { inTransaction } from '../../database/connection/transaction.js';
import { MAX_ATTEMPTS } from '../../database/outbox/retry-policy.js';
import { enqueueEraseAccountTask, ERASE_ACCOUNT_TASK, finishDeletion } from '../../person-lifecycle/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Well below the lease, so that a large account goes through many tasks and not through many attempts. */
const LONGEST_RUN_MS = 20_000;
const RESUME_AFTER_FAILURE_MS = HOUR_MS;

type EraseDeps = Pick<TaskHandlerDeps, 'database' | 'clock' | 'writeQueue'>;

/**
 * Takes a deleted account out of its groups and removes its row; queues the rest of what takes long as another task.
 * Skipped when another task has finished it.
 */
export function eraseAccount(deps: EraseDeps): TaskHandlerDefinition {
  return {
    name: ERASE_ACCOUNT_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload: { userId }, attempts }, complete) {
      if (typeof userId !== 'string') return complete(() => Promise.resolve('SKIPPED'));
      const isFinished = await neverGivingUp(deps, { userId, attempts });
      return complete(async (em) => {
        if (isFinished) await forgetInTasks(em, userId);
        else enqueueEraseAccountTask(em, userId, deps.clock.now());
        return 'DONE';
      });
    },
  };
}

/** A task is given up after its last attempt; the deletion is not, and goes on in another task an hour later. */
async function neverGivingUp(
  deps: EraseDeps,
  { userId, attempts }: { readonly userId: string; readonly attempts: number },
): Promise<boolean> {
  const stopAt = performance.now() + LONGEST_RUN_MS;
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
