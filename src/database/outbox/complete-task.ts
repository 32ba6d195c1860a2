import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimedTask } from './claim-task.js';
import { OutboxTask } from './outbox-task.entity.js';

/** Another worker has taken the task over, or ended it: this attempt no longer counts. */
export class LeaseLostError extends Error {
  constructor(task: Pick<ClaimedTask, 'id' | 'attempts'>) {
    super(`attempt ${task.attempts} at task ${task.id} was overtaken`);
    this.name = 'LeaseLostError';
  }
}

/**
 * Records that a task is over. In a transaction together with the task's effect, either both happen or neither;
 * outside of one it stands for itself.
 *
 * @throws LeaseLostError when the attempt was overtaken: a transaction around it must then be rolled back
 */
export async function completeTask(
  em: EntityManager,
  task: Pick<ClaimedTask, 'id' | 'attempts'>,
  status: 'DONE' | 'SKIPPED',
  now: Date,
): Promise<void> {
  const mine = { id: task.id, attempts: task.attempts, status: 'RUNNING' } as const;
  const ended = await em.nativeUpdate(OutboxTask, mine, { status, dueAt: null, finishedAt: now, lastError: null });
  if (ended === 0) throw new LeaseLostError(task);
}
