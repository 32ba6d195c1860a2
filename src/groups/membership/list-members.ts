import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import {
  encodeCursor,
  parsePageRequest,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../model/group-view.js';
import type { MemberView } from '../model/member-view.js';
import { countByStatus, type ResponseStatus } from '../model/response-counts.js';

export interface ListMembersParams extends PageRequest {
  /** Only members of this answer; null or absent for all. */
  readonly status?: ResponseStatus | null | undefined;
}

/**
 * The members of a group that the caller may read, in the order in which they were invited; one statement, whatever the page.
 *
 * The total is the group's own count, as of when the group was read.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function listMembers(
  deps: Pick<GroupsDeps, 'loaders'>,
  actor: Actor,
  group: GroupView,
  request: ListMembersParams,
): Promise<ConnectionPage<MemberView>> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const status = request.status ?? null;
  const found = await readRows(page, () => deps.loaders.members({ groupId: group.id, status, ...page }));
  const totalCount = status === null ? group.memberCount : countByStatus(group.counts, status);
  return toConnectionPage(page, found, totalCount, ({ invitedAt: at, userId: id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at, id }),
  );
}
