import { GROUP_COLUMNS, type GroupRow } from './group-row.js';
import type { MemberView } from './member-view.js';
import type { GroupRole } from './member.entity.js';
import type { ResponseStatus } from './response-counts.js';

/** Row of a group, joined with an account and, when the account is a member, its membership. */
export interface MembershipRow extends GroupRow {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string | null;
  readonly registeredAt: Date;
  /** Null, like all that follow, when the account is no member. */
  readonly role: GroupRole | null;
  readonly status: ResponseStatus;
  readonly invitedById: string | null;
  readonly invitedAt: Date;
  readonly respondedAt: Date | null;
  readonly memberRevision: number;
}

/** SQL for the columns of a `MembershipRow`, from the group as `g`, the account as `a` and the member as `m`. */
export const MEMBERSHIP_COLUMNS = `${GROUP_COLUMNS},
    a.id as "userId", a.username, a.display_name as "displayName", a.created_at as "registeredAt",
    m.role, m.status, m.invited_by_id as "invitedById", m.invited_at as "invitedAt", m.responded_at as "respondedAt",
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
