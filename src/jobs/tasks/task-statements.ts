import type { Clock } from '../../accounts/index.js';
import type { Database } from '../../database/connection/database.js';
import { createBatchLoader } from '../../database/loaders/batch-loader.js';
import { claimTasks, type ClaimedTask } from '../../database/outbox/claim-tasks.js';
import { completeTasks, LeaseLostError, type TaskCompletion } from '../../database/outbox/complete-tasks.js';
import type { TaskOutcome } from './task-handler.js';

/** Claims and completes tasks: those of one event-loop iteration by one statement each. */
export interface TaskStatements {
  /** @returns null when the task is not due, finished, claimed by another worker or deleted */
  claim(taskId: string): Promise<ClaimedTask | null>;
  /** @throws LeaseLostError when another worker has claimed the task */
  complete(task: ClaimedTask, outcome: TaskOutcome): Promise<void>;
}

/** @param leaseMs milliseconds after which other workers may claim a claimed task */
export function createTaskStatements(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  leaseMs: number,
): TaskStatements {
  const idOf = ({ id }: { readonly id: string }): string => id;
  const complete = createBatchLoader(
    (completions: readonly TaskCompletion[]) => completeTasks(database, completions, clock.now()),
    idOf,
    idOf,
  );
  return {
    claim: createBatchLoader(
      (ids: readonly string[]) => claimTasks(database, ids, clock.now(), leaseMs),
      (id) => id,
      idOf,
    ),
    async complete(task, status) {
      const { id, attempts } = task;
      if ((await complete({ id, attempts, status })) === null) throw new LeaseLostError(task);
    },
  };
}
