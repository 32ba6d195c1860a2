import { statement, type Queryable } from '../../database/index.js';
import type { Invitation } from '../invitations/invitation.entity.js';
import { groupFromRow } from '../model/group-row.js';
import type { MemberView, StoredGroup } from '../model/group-view.js';
import { MEMBERSHIP_COLUMNS, membershipFromRow, type MembershipRow } from '../model/membership-row.js';

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
 * The group repeated with each of the users. `offset 0` keeps the planner from reading all members of a large group.
 */
const RESPONDING_GROUP = statement<RespondingMemberRow>(
  'responding_group',
  `
  select ${MEMBERSHIP_COLUMNS},
    case when a.email_verified_at is not null and g.open_invitations + g.lapsed_invitations > 0 then (
      select json_build_object('id', i.id, 'status', i.status) from invitation i
      where i.group_id = g.id and i.email_key = a.email_key and i.status in ('OPEN', 'LAPSED')
    ) end as invitation
  from groups g
  cross join unnest($2::uuid[]) as responder (user_id)
  join account a on a.id = responder.user_id
  left join lateral (select * from member where group_id = g.id and user_id = a.id offset 0) m on true
  where g.id = $1`,
);

/** @returns null when there is no such group, or none of the users */
export async function readRespondingGroup(
  queryable: Queryable,
  groupId: string,
  userIds: ReadonlySet<string>,
): Promise<RespondingGroup | null> {
  const rows = await queryable.query(RESPONDING_GROUP, [groupId, [...userIds]]);
  const [first] = rows;
  if (first === undefined) return null;
  const members = new Map<string, MemberView>();
  const invitations = new Map<string, PersonalInvitation>();
  for (const row of rows) {
    const member = membershipFromRow(row);
    if (member !== null) members.set(row.userId, member);
    if (row.invitation !== null) invitations.set(row.userId, row.invitation);
  }
  return { group: groupFromRow(first), members, invitations };
}
