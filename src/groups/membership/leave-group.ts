import { requireAuthenticated, requireUser, type Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import { withLockedGroup } from '../transaction/with-locked-group.js';
import { endMembership } from './end-membership.js';

export interface LeaveGroupParams {
  readonly groupId: string;
}

/**
 * Ends the caller's own place in a group, whatever its state. From then on it is as unknown to them as to any stranger.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND`, also for one who has left before; `MEMBER_NOT_FOUND` for an administrator
 *   without a place
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 * @throws ConflictError `LAST_OWNER`
 */
export async function leaveGroup(
  deps: GroupsDeps,
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
