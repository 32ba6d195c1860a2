import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupView, MemberView } from '../model/group-view.js';
import type { MembershipLoaders } from './membership-loader.js';

export interface FindMemberDeps {
  readonly loaders: MembershipLoaders;
}

/**
 * Finds one user's membership in a group that the caller has read.
 *
 * @returns null when the user is no member
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export async function findMember(
  deps: FindMemberDeps,
  actor: Actor,
  group: GroupView,
  userId: string,
): Promise<MemberView | null> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  return deps.loaders.membership({ groupId: group.id, userId });
}

/** @returns the caller's membership; null for API clients, and for administrators who are no members */
export async function findViewerMembership(
  deps: FindMemberDeps,
  actor: Actor,
  group: GroupView,
): Promise<MemberView | null> {
  if (group.viewerMembership !== undefined) return group.viewerMembership;
  const caller = requireAuthenticated(actor);
  return caller.kind === 'service' ? null : deps.loaders.membership({ groupId: group.id, userId: caller.userId });
}
