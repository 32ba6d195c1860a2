import { columnsSql } from '../../database/index.js';
import { GROUP_COLUMNS, type GroupRow } from './group-row.js';
import type { MemberView, StoredMember } from './group-view.js';
import { USER_COLUMNS, type UserColumns } from './member-row.js';
import { Member, type GroupRole } from './member.entity.js';

type MembershipColumns = Pick<StoredMember, 'userId' | 'status' | 'invitedById' | 'invitedAt' | 'respondedAt'>;

/** Row of a group, joined with an account and, when the account is a member, its membership. */
export interface MembershipRow extends GroupRow, UserColumns, MembershipColumns {
  /** Null, like the other columns of the membership, when the account is no member. */
  readonly role: GroupRole | null;
  readonly memberRevision: number;
}

/** SQL for the columns of a `MembershipRow`, from the group as `g`, the account as `a` and the member as `m`. */
export const MEMBERSHIP_COLUMNS = `${GROUP_COLUMNS}, a.id as "userId", ${USER_COLUMNS},
    ${columnsSql(Member, 'm', ['role', 'status', 'invitedById', 'invitedAt', 'respondedAt'])},
    m.revision as "memberRevision"`;

/** @returns null when the account is no member */
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
