import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import {
  encodeCursor,
  NUMBER_CURSOR,
  parsePageRequest,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupChangeView } from '../model/group-change-view.js';
import type { GroupView } from '../model/group-view.js';

export interface ListHistoryParams extends PageRequest {
  /** Leaves out the revisions that left the state as it was. */
  readonly stateChangesOnly: boolean;
}

/**
 * What happened to a group that the caller may read, up to the revision at which it was read, oldest first.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function listHistory(
  deps: Pick<GroupsDeps, 'loaders'>,
  actor: Actor,
  group: GroupView,
  request: ListHistoryParams,
): Promise<ConnectionPage<GroupChangeView>> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  const page = parsePageRequest(request, NUMBER_CURSOR);
  const { id: groupId, revision: upTo } = group;
  const { changes, totalCount } = await deps.loaders.history({
    groupId,
    upTo,
    stateChangesOnly: request.stateChangesOnly,
    ...page,
  });
  return toConnectionPage(page, changes, totalCount, ({ revision }) => encodeCursor(NUMBER_CURSOR, revision));
}
