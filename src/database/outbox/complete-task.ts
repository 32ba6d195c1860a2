import type { EntityManager } from '@mikro-orm/postgresql';
import type { ClaimedTask } from './claim-task.js';
import { OutboxTask } from './outbox-task.entity.js';

/** Another worker has claimed or finished the task, so this attempt must not complete it. */
export class LeaseLostError extends Error {
  constructor(task: Pick<ClaimedTask, 'id' | 'attempts'>) {
    super(`attempt ${task.attempts} at task ${task.id} was overtaken`);
    this.name = 'LeaseLostError';
  }
}

/**
 * Marks a task as finished. In the transaction of the task's effect, both are committed or neither.
 *
 * @throws LeaseLostError when another worker has claimed the task; the transaction must then be rolled back
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
