import { statement, type Queryable } from '../../database/index.js';
import type { Invitation } from '../invitations/invitation.entity.js';
import { groupFromRow } from '../model/group-row.js';
import type { MemberView, StoredGroup } from '../model/group-view.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../model/membership-row.js';

/** Which members of a group respond. */
export interface Responders {
  readonly groupId: string;
  readonly userIds: ReadonlySet<string>;
}

/** An unanswered invitation of a group to the verified address of one of its members. */
export type PersonalInvitation = Pick<Invitation, 'id' | 'status'>;

/** A group as one statement has read it, with the members who respond. */
export interface RespondingGroup {
  readonly group: StoredGroup;
  /** By user id; users who are no members are missing. */
  readonly members: ReadonlyMap<string, MemberView>;
  /** By user id. */
  readonly invitations: ReadonlyMap<string, PersonalInvitation>;
}

interface RespondingMemberRow extends MembershipRow {
  readonly invitation: PersonalInvitation | null;
}

/**
 * Each group repeated with each of its users. `offset 0` keeps the planner from reading all groups, or all members of a
 * large group.
 */
const RESPONDING_GROUPS = statement<RespondingMemberRow>(
  'responding_groups',
  `
  select ${MEMBERSHIP_COLUMNS},
    case when a.email_verified_at is not null and g.open_invitations + g.lapsed_invitations > 0 then (
      select json_build_object('id', i.id, 'status', i.status) from invitation i
      where i.group_id = g.id and i.email_key = a.email_key and i.status in ('OPEN', 'LAPSED')
    ) end as invitation
  from unnest($1::uuid[], $2::uuid[]) as responder (group_id, user_id)
  cross join lateral (select * from groups where id = responder.group_id offset 0) g
  join account a on a.id = responder.user_id
  left join lateral (select * from member where group_id = g.id and user_id = a.id offset 0) m on true`,
);

/** @returns in any order; groups that do not exist, or none of whose users do, are missing */
export async function readRespondingGroups(
  queryable: Queryable,
  requested: readonly Responders[],
): Promise<RespondingGroup[]> {
  const pairs = requested.flatMap(({ groupId, userIds }) => [...userIds].map((userId) => ({ groupId, userId })));
  const rows = await queryable.query(RESPONDING_GROUPS, [
    pairs.map(({ groupId }) => groupId),
    pairs.map(({ userId }) => userId),
  ]);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(respondingGroupFromRows);
}

/** @param rows of one group */
function respondingGroupFromRows(rows: readonly RespondingMemberRow[]): RespondingGroup[] {
  const [first] = rows;
  if (first === undefined) return [];
  const members = new Map<string, MemberView>();
  const invitations = new Map<string, PersonalInvitation>();
  for (const row of rows) {
    const member = membershipFromRow(row);
    if (member !== null) members.set(row.userId, member);
    if (row.invitation !== null) invitations.set(row.userId, row.invitation);
  }
  return [{ group: groupFromRow(first), members, invitations }];
}
