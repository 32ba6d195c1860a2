import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, OutboxTask, type Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { requireAdmin, requireAdminInTransaction, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import { toFollowUpTask, type FollowUpTask } from './list-follow-ups.js';

export interface RetryFollowUpDeps extends GetViewerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly dispatchTasks: DispatchTasks;
}

/**
 * Queues a failed follow-up again with all its attempts, the first of them due immediately. Its last error stays until
 * an attempt succeeds.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws NotFoundError `FOLLOW_UP_NOT_FOUND` for any other task, also for a follow-up that has not failed
 */
export async function retryFollowUp(
  deps: RetryFollowUpDeps,
  actor: AdminActor,
  followUpId: string,
): Promise<FollowUpTask> {
  await requireAdmin(deps, actor);
  const now = deps.clock.now();
  const retried = await inTransaction(deps.database, async (em) => {
    const { userId, ...task } = await requeue(em, followUpId, now);
    const actorId = await requireAdminInTransaction(em, actor);
    const detail = { followUpId, name: task.name };
    recordAuditEvent(em, { action: 'follow-up.retried', actorId, subjectId: userId, detail }, now);
    return { ...task, userId };
  });
  deps.dispatchTasks([retried.id]);
  return retried;
}

async function requeue(em: EntityManager, id: string, now: Date): Promise<FollowUpTask> {
  const failed = { id, registeredUserId: { $ne: null }, status: 'FAILED' } as const;
  const task = await em.findOne(OutboxTask, failed, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (task?.registeredUserId == null) throw new NotFoundError('FOLLOW_UP_NOT_FOUND');
  em.assign(task, { status: 'QUEUED', attempts: 0, dueAt: now, finishedAt: null });
  return toFollowUpTask(task, task.registeredUserId);
}
