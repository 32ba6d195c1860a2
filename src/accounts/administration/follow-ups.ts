import { listFollowUps, retryFollowUp, type FollowUpTask, type ListFollowUpsParams } from '../../database/index.js';
import type { ConnectionPage } from '../../paging/index.js';
import { recordAuditEvent } from '../audit/record-audit-event.js';
import type { AccountsDeps } from '../deps.js';
import { requireAdmin, requireAdminInTransaction, type AdminActor } from './admin-guard.js';

/**
 * The follow-ups of all registrations with their last errors, newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin` says
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listFollowUpsAsAdmin(
  deps: Pick<AccountsDeps, 'database' | 'loaders'>,
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
  deps: Pick<AccountsDeps, 'database' | 'loaders' | 'clock' | 'dispatchTasks'>,
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
