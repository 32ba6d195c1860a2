import {
  listFollowUps,
  retryFollowUp,
  type ConnectionPage,
  type Database,
  type FollowUpTask,
  type ListFollowUpsParams,
} from '../../database/index.js';
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
 * The follow-ups of all registrations with their last errors, newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listFollowUpsAsAdmin(
  deps: ListFollowUpsAsAdminDeps,
  by: AdminActor,
  list: ListFollowUpsParams,
): Promise<ConnectionPage<FollowUpTask>> {
  await requireAdmin(deps, by);
  return listFollowUps(deps.database, list);
}

/**
 * Has a follow-up that was given up tried again, as `retryFollowUp` of the database says.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws NotFoundError `FOLLOW_UP_NOT_FOUND` for any other task, also for one that has not failed
 */
export async function retryFollowUpAsAdmin(
  deps: RetryFollowUpAsAdminDeps,
  by: AdminActor,
  followUpId: string,
): Promise<FollowUpTask> {
  await requireAdmin(deps, by);
  const now = deps.clock.now();
  const retried = await retryFollowUp(deps.database, followUpId, now, async (em, { userId, name }) => {
    const actorId = await requireAdminInTransaction(em, by);
    recordAuditEvent(
      em,
      { action: 'follow-up.retried', actorId, subjectId: userId, detail: { followUpId, name } },
      now,
    );
  });
  deps.dispatchTasks([retried.id]);
  return retried;
}
