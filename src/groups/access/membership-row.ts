import { columnsSql } from '../../database/index.js';
import type { MemberView, StoredMember } from '../model/member-view.js';
import { Member, type GroupRole } from '../model/member.entity.js';
import { GROUP_COLUMNS, type GroupRow } from './group-row.js';
import { USER_COLUMNS, type UserColumns } from './member-row.js';

type MembershipColumns = Pick<StoredMember, 'userId' | 'status' | 'invitedById' | 'invitedAt' | 'respondedAt'>;

/** A group's row joined with a user's account and, if there is one, their membership in the group. */
export interface MembershipRow extends GroupRow, UserColumns, MembershipColumns {
  /** Null, like the other columns of the membership, for a user who is not a member. */
  readonly role: GroupRole | null;
  readonly memberRevision: number;
}

/** SQL for the columns of a `MembershipRow`, from the group as `g`, the account as `a` and the member as `m`. */
export const MEMBERSHIP_COLUMNS = `${GROUP_COLUMNS}, a.id as "userId", ${USER_COLUMNS},
    ${columnsSql(Member, 'm', ['role', 'status', 'invitedById', 'invitedAt', 'respondedAt'])},
    m.revision as "memberRevision"`;

export function membershipFromRow(row: MembershipRow): MemberView | null {
  const { userId, role, status, invitedById, invitedAt, respondedAt, username, displayName } = row;
  if (role === null) return null;
  const user = { id: userId, username, displayName, createdAt: row.registeredAt };
  return {
    groupId: row.id,
    userId,
    role,
    status,
    invitedById,
    invitedAt,
    respondedAt,
    revision: row.memberRevision,
    user,
  };
}
