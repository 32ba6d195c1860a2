import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { getGroup } from '../access/get-group.js';
import type { GroupsDeps } from '../deps.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import type { InvitationView } from './invitation-view.js';

/**
 * The group of an invitation that the caller has in hand: all of it for those inside, and for the invited what it is,
 * when it closes and what it has come to, but not who is in it.
 *
 * @throws NotFoundError `GROUP_NOT_FOUND` when it is gone
 */
export async function getInvitedGroup(
  deps: Pick<GroupsDeps, 'loaders' | 'clock'>,
  actor: Actor,
  { groupId }: InvitationView,
): Promise<GroupView> {
  const known = requireAuthenticated(actor);
  if (known.kind === 'service') return getGroup(deps, known, groupId);
  const seen = await deps.loaders.groupSeenBy({ groupId, callerId: known.userId });
  if (seen === null) throw new NotFoundError('GROUP_NOT_FOUND');
  if (seen.membership !== null || seen.callerIsAdmin) return getGroup(deps, known, groupId);
  return toGroupView(seen.group, deps.clock.now(), {
    viewerIsInvitee: true,
    viewerMembership: null,
    compatibilityScore: null,
  });
}
