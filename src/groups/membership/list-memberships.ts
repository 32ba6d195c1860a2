import { requireSelf, type Actor } from '../../accounts/index.js';
import { statement } from '../../database/index.js';
import {
  encodeCursor,
  parsePageRequest,
  placeAfter,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import { groupFromRow } from '../access/group-row.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../access/membership-row.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupState } from '../model/group-state.js';
import { toGroupView } from '../model/group-view.js';
import type { MemberView } from '../model/member-view.js';
import type { ResponseStatus } from '../model/response-counts.js';
import { groupStateSql } from './group-state-sql.js';

export interface ListMembershipsParams extends PageRequest {
  /** Only places with this answer; null or absent for all. */
  readonly status?: ResponseStatus | null | undefined;
  /** Only places in groups that have this state now; null or absent for all. */
  readonly groupState?: GroupState | null | undefined;
}

const PLACES = `
  from member m join groups g on g.id = m.group_id join account a on a.id = m.user_id
  where m.user_id = $1 and ($2::text is null or m.status = $2) and ($3::text is null or $3 = ${groupStateSql('$4::timestamptz')})`;

const MEMBERSHIPS = statement<MembershipRow>(
  'memberships_of',
  `
  select ${MEMBERSHIP_COLUMNS} ${PLACES} and (m.invited_at, m.group_id) < ($5::timestamptz, $6::uuid)
  order by m.invited_at desc, m.group_id desc limit $7`,
);

const MEMBERSHIP_COUNT = statement<{ count: number }>(
  'membership_count',
  `select count(*)::integer as count ${PLACES}`,
);

/**
 * Every place that a person has in a group, the newest first, each with its group; two statements, whatever the page.
 *
 * @throws UnauthenticatedError when nobody is signed in, or somebody else
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 */
export async function listMemberships(
  deps: Pick<GroupsDeps, 'database' | 'clock'>,
  actor: Actor,
  userId: string,
  request: ListMembershipsParams,
): Promise<ConnectionPage<MemberView>> {
  requireSelf(actor, userId);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const now = deps.clock.now();
  const filter = [userId, request.status ?? null, request.groupState ?? null, now];
  const [rows, [total]] = await Promise.all([
    readRows(page, () =>
      deps.database.query(MEMBERSHIPS, [...filter, ...placeAfter(page.after, 'descending'), page.first + 1]),
    ),
    deps.database.query(MEMBERSHIP_COUNT, filter),
  ]);
  const memberships = rows.flatMap((row) => membershipOfRow(row, now) ?? []);
  return toConnectionPage(page, memberships, total?.count ?? 0, ({ invitedAt: at, groupId: id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at, id }),
  );
}

/** With its group as of the same moment: one that is left meanwhile spoils no list. */
function membershipOfRow(row: MembershipRow, now: Date): MemberView | null {
  const place = membershipFromRow(row);
  return place === null ? null : { ...place, group: toGroupView(groupFromRow(row), now, { viewerMembership: place }) };
}
