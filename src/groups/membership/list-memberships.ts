import { requireSelf, type Actor, type Clock } from '../../accounts/index.js';
import { pagedStatement, statement, statementFor, type Database } from '../../database/index.js';
import {
  encodeCursor,
  parsePageRequest,
  rangeOf,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import { toDate } from '../../time/stored-time.js';
import { groupFromRow } from '../model/group-row.js';
import type { GroupState } from '../model/group-state.js';
import { toGroupView, type MembershipView } from '../model/group-view.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../model/membership-row.js';
import type { ResponseStatus } from '../model/response-counts.js';

export interface ListMembershipsParams extends PageRequest {
  /** Only memberships with this response; null or absent for all. */
  readonly status?: ResponseStatus | null | undefined;
  /** Only memberships in groups that have this state now; null or absent for all. */
  readonly groupState?: GroupState | null | undefined;
}

interface ListMembershipsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * SQL for the state of the group `g` at `$4`, like `currentState`. Since the state was stored only the deadline can
 * have passed, and a passed deadline turns every state but CONFIRMED and CANCELLED into EXPIRED.
 */
const GROUP_STATE_SQL = `case
      when g.cancelled_at is null and g.required_at_deadline is null and g.respond_by <= $4::timestamptz
        and g.state <> 'CONFIRMED' then 'EXPIRED'
      else g.state
    end`;

const FROM_MEMBERSHIPS = `
  from member m join groups g on g.id = m.group_id join account a on a.id = m.user_id
  where m.user_id = $1 and ($2::text is null or m.status = $2) and ($3::text is null or $3 = ${GROUP_STATE_SQL})`;

const MEMBERSHIPS = pagedStatement<MembershipRow>(
  'memberships_of',
  'desc',
  (order) => `
  select ${MEMBERSHIP_COLUMNS} ${FROM_MEMBERSHIPS}
    and (m.invited_at, m.group_id) > ($5::timestamptz, $6::uuid)
    and (m.invited_at, m.group_id) < ($7::timestamptz, $8::uuid)
  order by m.invited_at ${order}, m.group_id ${order} limit $9`,
);

const MEMBERSHIP_COUNT = statement<{ count: number }>(
  'membership_count',
  `select count(*)::integer as count ${FROM_MEMBERSHIPS}`,
);

/**
 * Lists the caller's memberships with their groups, newest first, with two statements.
 *
 * @throws UnauthenticatedError when the caller is not the user
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 */
export async function listMemberships(
  deps: ListMembershipsDeps,
  actor: Actor,
  userId: string,
  request: ListMembershipsParams,
): Promise<ConnectionPage<MembershipView>> {
  requireSelf(actor, userId);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const now = deps.clock.now();
  const filter = [userId, request.status ?? null, request.groupState ?? null, now];
  const keyset = [...rangeOf(page, 'descending'), page.size + 1];
  const [rows, [total]] = await Promise.all([
    readRows(page, () => deps.database.query(statementFor(page, MEMBERSHIPS), [...filter, ...keyset])),
    deps.database.query(MEMBERSHIP_COUNT, filter),
  ]);
  const memberships = rows.flatMap((row) => membershipViewFromRow(row, now) ?? []);
  return toConnectionPage(page, memberships, total?.count ?? 0, ({ invitedAt: at, groupId: id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at: toDate(at), id }),
  );
}

/** The group comes from the same row, so that a membership that ends concurrently does not fail the list. */
function membershipViewFromRow(row: MembershipRow, now: Date): MembershipView | null {
  const membership = membershipFromRow(row);
  if (membership === null) return null;
  return { ...membership, group: toGroupView(groupFromRow(row), now, { viewerMembership: membership }) };
}
