import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../model/group-view.js';
import type { MemberView } from '../model/member-view.js';

/**
 * One user's place in a group that the caller has in hand; null when they have none.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function findMember(
  deps: Pick<GroupsDeps, 'loaders'>,
  actor: Actor,
  group: GroupView,
  userId: string,
): Promise<MemberView | null> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  return deps.loaders.membership({ groupId: group.id, userId });
}

/** The caller's own place; null for administrators and programs without one. */
export async function findViewerMembership(
  deps: Pick<GroupsDeps, 'loaders'>,
  actor: Actor,
  group: GroupView,
): Promise<MemberView | null> {
  if (group.viewerMembership !== undefined) return group.viewerMembership;
  const known = requireAuthenticated(actor);
  return known.kind === 'service' ? null : deps.loaders.membership({ groupId: group.id, userId: known.userId });
}
