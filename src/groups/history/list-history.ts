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
import type { GroupView } from '../model/group-view.js';
import type { GroupChangeView } from './group-change-view.js';
import type { HistoryLoaders } from './history-loader.js';

export interface ListHistoryParams extends PageRequest {
  /** Lists only revisions that changed the state. */
  readonly stateChangesOnly: boolean;
}

/**
 * Lists the revisions of a group up to the one at which it was read, oldest first.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export async function listHistory(
  deps: { readonly loaders: HistoryLoaders },
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
