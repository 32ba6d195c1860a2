import {
  listFollowUps,
  retryFollowUp,
  type Database,
  type FollowUpTask,
  type ListFollowUpsParams,
} from '../../database/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import { requireAdmin, requireAdminInTransaction, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';

export interface ListFollowUpsAsAdminDeps extends GetViewerDeps {
  readonly database: Database;
}

export interface RetryFollowUpAsAdminDeps extends ListFollowUpsAsAdminDeps {
  readonly clock: Clock;
  readonly dispatchTasks: DispatchTasks;
}

/**
 * Lists the follow-up tasks of all registrations with their last errors, newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listFollowUpsAsAdmin(
  deps: ListFollowUpsAsAdminDeps,
  actor: AdminActor,
  list: ListFollowUpsParams,
): Promise<ConnectionPage<FollowUpTask>> {
  await requireAdmin(deps, actor);
  return listFollowUps(deps.database, list);
}

/**
 * Enqueues a failed follow-up task again, as `retryFollowUp` of the database does.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws NotFoundError `FOLLOW_UP_NOT_FOUND` for any other task, also for a follow-up that has not failed
 */
export async function retryFollowUpAsAdmin(
  deps: RetryFollowUpAsAdminDeps,
  actor: AdminActor,
  followUpId: string,
): Promise<FollowUpTask> {
  await requireAdmin(deps, actor);
  const now = deps.clock.now();
  const retried = await retryFollowUp(deps.database, followUpId, now, async (em, { userId, name }) => {
    const actorId = await requireAdminInTransaction(em, actor);
    recordAuditEvent(
      em,
      { action: 'follow-up.retried', actorId, subjectId: userId, detail: { followUpId, name } },
      now,
    );
  });
  deps.dispatchTasks([retried.id]);
  return retried;
}
