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
import { toDate } from '../../time/stored-time.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupView, MemberView } from '../model/group-view.js';
import { countByStatus, type ResponseStatus } from '../model/response-counts.js';
import type { MembersLoaders } from './members-loader.js';

export interface ListMembersParams extends PageRequest {
  /** Only members with this response; null or absent for all. */
  readonly status?: ResponseStatus | null | undefined;
}

/**
 * Lists the members of a group in the order of their invitation, with one statement. The total is the group's count
 * from when the group was read.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export async function listMembers(
  deps: { readonly loaders: MembersLoaders },
  actor: Actor,
  group: GroupView,
  request: ListMembersParams,
): Promise<ConnectionPage<MemberView>> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const status = request.status ?? null;
  const { id: groupId, membersVersion: version } = group;
  const found = await readRows(page, () => deps.loaders.members({ groupId, version, status, ...page }));
  const totalCount = status === null ? group.memberCount : countByStatus(group.counts, status);
  return toConnectionPage(page, found, totalCount, ({ invitedAt: at, userId: id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at: toDate(at), id }),
  );
}
