import { requireAuthenticated, requireUser, type Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { ChangeCause } from '../model/group-change.entity.js';
import type { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import {
  withLockedGroup,
  type AuthorizedGroupTransaction,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { requireAnotherOwner } from './require-another-owner.js';

export interface LeaveGroupParams {
  readonly groupId: string;
}

/**
 * Ends the caller's membership in a group, in any state of the group. Afterwards the caller has no access to it.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND`, also for a former member; `MEMBER_NOT_FOUND` for an administrator who is no
 *   member
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client
 * @throws ConflictError `LAST_OWNER`
 */
export async function leaveGroup(
  deps: GroupWriteDeps,
  actor: Actor,
  { groupId }: LeaveGroupParams,
): Promise<LeaveGroupParams> {
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId }, async (tx) => {
    const { userId } = requireUser(tx.caller.actor);
    const member = tx.members.get(userId);
    if (member === undefined) throw new NotFoundError('MEMBER_NOT_FOUND');
    await endMembership(tx, member, 'LEFT');
    return { groupId };
  });
}

/**
 * Deletes a membership and records the revision. The history keeps the member's earlier revisions.
 *
 * @throws ConflictError `LAST_OWNER`
 */
export async function endMembership(
  tx: AuthorizedGroupTransaction,
  member: Member,
  cause: Extract<ChangeCause, 'LEFT' | 'REMOVED'>,
): Promise<void> {
  const { em, ledger, members } = tx;
  if (member.role === 'OWNER') await requireAnotherOwner(em, member);
  ledger.record({ cause, subjectId: member.userId }, ({ counts }) => {
    adjustCounts(counts, member.status, null);
  });
  em.remove(member);
  members.delete(member.userId);
}
