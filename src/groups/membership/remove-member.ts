import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import type { Caller } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import { toCallerGroupView, withLockedGroup } from '../transaction/with-locked-group.js';
import { endMembership } from './end-membership.js';
import { requireManagedMember } from './require-managed-member.js';

export interface RemoveMemberParams {
  readonly groupId: string;
  readonly userId: string;
}

/**
 * Removes a member from a group, whatever its state; owners can remove themselves while another owner stays.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND`, `MEMBER_NOT_FOUND`; the latter also for one who was removed before
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 * @throws ConflictError `LAST_OWNER`
 */
export async function removeMember(
  deps: GroupsDeps,
  actor: Actor,
  { groupId, userId }: RemoveMemberParams,
): Promise<GroupPayload> {
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId, userIds: [userId] }, async (tx) => {
    const member = await requireManagedMember(tx, userId);
    await endMembership(tx, member, 'REMOVED');
    const isOutside = await hasRemovedThemselves(tx.caller, userId);
    return { group: toCallerGroupView(tx, isOutside ? { viewerIsInvitee: true, compatibilityScore: null } : {}) };
  });
}

/** They see what became of the group, but no longer who is in it; administrators do. */
async function hasRemovedThemselves(caller: Caller, userId: string): Promise<boolean> {
  return caller.kind === 'user' && caller.actor.userId === userId && !(await caller.isAdmin());
}
