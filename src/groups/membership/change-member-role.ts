import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { ConflictError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import { toMemberView, type MemberView } from '../model/member-view.js';
import type { GroupRole, Member } from '../model/member.entity.js';
import { withLockedGroup, type AuthorizedGroupTransaction } from '../transaction/with-locked-group.js';
import { requireAnotherOwner } from './require-another-owner.js';
import { requireManagedMember } from './require-managed-member.js';

export interface ChangeMemberRoleParams {
  readonly groupId: string;
  readonly userId: string;
  readonly role: GroupRole;
}

/**
 * Makes a member an owner, or an owner a member like any other. A group can have any number of owners, but never none.
 * Giving the role that they have changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 * @throws ConflictError `GROUP_CANCELLED`, `LAST_OWNER`
 */
export async function changeMemberRole(
  deps: GroupsDeps,
  actor: Actor,
  { groupId, userId, role }: ChangeMemberRoleParams,
): Promise<{ readonly member: MemberView }> {
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId, userIds: [userId] }, async (tx) => {
    const member = await requireManagedMember(tx, userId);
    if (member.role !== role) await giveRole(tx, member, role);
    return { member: toMemberView(member) };
  });
}

async function giveRole(
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
