import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { pageOfNumber } from '../../paging/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupView } from '../model/group-view.js';
import type { GroupChangeView } from './group-change-view.js';
import type { HistoryLoaders } from './history-loader.js';

/**
 * Finds one revision of a group that the caller has read.
 *
 * @returns null when the group has not reached that revision
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export async function findChange(
  { loaders }: { readonly loaders: HistoryLoaders },
  actor: Actor,
  group: GroupView,
  revision: number,
): Promise<GroupChangeView | null> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  if (revision > group.revision) return null;
  const { changes } = await loaders.history({
    groupId: group.id,
    upTo: revision,
    stateChangesOnly: false,
    ...pageOfNumber(revision),
  });
  return changes[0] ?? null;
}
