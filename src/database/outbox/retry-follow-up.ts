import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { NotFoundError } from '../../errors/index.js';
import type { Database } from '../connection/database.js';
import { inTransaction } from '../connection/transaction.js';
import type { FollowUpTask } from './list-follow-ups.js';
import { OutboxTask } from './outbox-task.entity.js';

/**
 * Queues a failed follow-up again with all its attempts, the first of them due immediately.
 *
 * Its last error stays until an attempt succeeds.
 *
 * @param inSameTransaction called with the unit of work of the same transaction, before the commit
 * @throws NotFoundError `FOLLOW_UP_NOT_FOUND` for any other task, also for one that has not failed
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function retryFollowUp(
  database: Database,
  id: string,
  now: Date,
  inSameTransaction: (em: EntityManager, retried: FollowUpTask) => Promise<void> | void = () => undefined,
): Promise<FollowUpTask> {
  return inTransaction(database, async (em) => {
    const failed = { id, registeredUserId: { $ne: null }, status: 'FAILED' } as const;
    const task = await em.findOne(OutboxTask, failed, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (task?.registeredUserId == null) throw new NotFoundError('FOLLOW_UP_NOT_FOUND');
    em.assign(task, { status: 'QUEUED', attempts: 0, dueAt: now, finishedAt: null });
    const { name, lastError, createdAt, registeredUserId: userId } = task;
    const retried: FollowUpTask = {
      id,
      name,
      status: 'QUEUED',
      attempts: 0,
      lastError,
      createdAt,
      finishedAt: null,
      userId,
    };
    await inSameTransaction(em, retried);
    return retried;
  });
}
