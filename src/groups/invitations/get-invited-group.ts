import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { getGroup, type GetGroupDeps } from '../access/get-group.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import type { InvitationView } from './invitation-view.js';

/**
 * Reads the group of an invitation that the caller has read. Callers without insider access receive it as invitees:
 * name, rule, state and counts, without members and history.
 *
 * @throws NotFoundError `GROUP_NOT_FOUND` when the group was deleted
 */
export async function getInvitedGroup(
  deps: GetGroupDeps,
  actor: Actor,
  { groupId }: InvitationView,
): Promise<GroupView> {
  const caller = requireAuthenticated(actor);
  if (caller.kind === 'service') return getGroup(deps, caller, groupId);
  const access = await deps.loaders.groupAccess({ groupId, callerId: caller.userId });
  if (access === null) throw new NotFoundError('GROUP_NOT_FOUND');
  if (access.callerIsInsider) return getGroup(deps, caller, groupId);
  return toGroupView(access.group, deps.clock.now(), {
    viewerIsInvitee: true,
    viewerMembership: null,
    compatibilityScore: null,
  });
}
