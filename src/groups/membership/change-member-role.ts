import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { ConflictError } from '../../errors/index.js';
import { requireManagedMember } from '../access/authorization.js';
import { toMemberView, type MemberView } from '../model/group-view.js';
import type { GroupRole, Member } from '../model/member.entity.js';
import {
  withLockedGroup,
  type AuthorizedGroupTransaction,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { requireAnotherOwner } from './require-another-owner.js';

export interface ChangeMemberRoleParams {
  readonly groupId: string;
  readonly userId: string;
  readonly role: GroupRole;
}

/**
 * Changes a member's role. A group has at least one owner. The current role changes nothing.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 * @throws ConflictError `GROUP_CANCELLED`, `LAST_OWNER`
 */
export async function changeMemberRole(
  deps: GroupWriteDeps,
  actor: Actor,
  { groupId, userId, role }: ChangeMemberRoleParams,
): Promise<{ readonly member: MemberView }> {
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId, userIds: [userId] }, async (tx) => {
    const member = await requireManagedMember(tx, userId);
    if (member.role !== role) await changeRole(tx, member, role);
    return { member: toMemberView(member) };
  });
}

async function changeRole(
  { em, group, ledger }: AuthorizedGroupTransaction,
  member: Member,
  role: GroupRole,
): Promise<void> {
  if (group.cancelledAt !== null) throw new ConflictError('GROUP_CANCELLED');
  if (role !== 'OWNER') await requireAnotherOwner(em, member);
  ledger.record({ cause: 'ROLE_CHANGED', subjectId: member.userId, status: member.status }, () => undefined);
  member.role = role;
  member.revision += 1;
}
