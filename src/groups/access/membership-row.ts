import type { MemberView } from '../model/member-view.js';
import type { GroupRole } from '../model/member.entity.js';
import type { ResponseStatus } from '../model/response-counts.js';
import { GROUP_COLUMNS, type GroupRow } from './group-row.js';

/** A group's row, joined with somebody's account and, as far as they have one, their place in the group. */
export interface MembershipRow extends GroupRow {
  readonly userId: string;
  readonly username: string;
  readonly displayName: string | null;
  readonly registeredAt: Date;
  /** Null, like all that follow, where they have no place. */
  readonly role: GroupRole | null;
  readonly status: ResponseStatus;
  readonly invitedById: string | null;
  readonly invitedAt: Date;
  readonly respondedAt: Date | null;
  readonly memberRevision: number;
}

/** The columns of a `MembershipRow`, from the group as `g`, the account as `a` and the member as `m`. */
export const MEMBERSHIP_COLUMNS = `${GROUP_COLUMNS},
    a.id as "userId", a.username, a.display_name as "displayName", a.created_at as "registeredAt",
    m.role, m.status, m.invited_by_id as "invitedById", m.invited_at as "invitedAt", m.responded_at as "respondedAt",
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
