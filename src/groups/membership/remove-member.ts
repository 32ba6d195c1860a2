import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { requireManagedMember, type Caller } from '../access/authorization.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type GroupPayload,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { endMembership } from './leave-group.js';

export interface RemoveMemberParams {
  readonly groupId: string;
  readonly userId: string;
}

/**
 * Removes a member from a group, in any state of the group. An owner may remove the own membership while the group has
 * another owner.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND`; `MEMBER_NOT_FOUND`, also for a member who was removed already
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 * @throws ConflictError `LAST_OWNER`
 */
export async function removeMember(
  deps: GroupWriteDeps,
  actor: Actor,
  { groupId, userId }: RemoveMemberParams,
): Promise<GroupPayload> {
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId, userIds: [userId] }, async (tx) => {
    const member = await requireManagedMember(tx, userId);
    await endMembership(tx, member, 'REMOVED');
    const hasLostAccess = await isSelfWithoutAdminRole(tx.caller, userId);
    return { group: toCallerGroupView(tx, hasLostAccess ? { viewerIsInvitee: true, compatibilityScore: null } : {}) };
  });
}

/** Owners who remove themselves see the group as invitees do in the result; administrators keep insider access. */
async function isSelfWithoutAdminRole(caller: Caller, userId: string): Promise<boolean> {
  return caller.kind === 'user' && caller.actor.userId === userId && !(await caller.isAdmin());
}
