import { toMemberView, type MemberView, type StoredMember } from './member-view.js';

/** Row of a member, joined with the account. */
export interface MemberRow extends StoredMember {
  readonly username: string;
  readonly displayName: string | null;
  readonly registeredAt: Date;
}

/** SQL for the columns of a `MemberRow`, from the member as `m` and the account as `a`. */
export const MEMBER_COLUMNS = `
  m.group_id as "groupId", m.user_id as "userId", m.role, m.status, m.invited_by_id as "invitedById",
  m.invited_at as "invitedAt", m.responded_at as "respondedAt", m.revision,
  a.username, a.display_name as "displayName", a.created_at as "registeredAt"`;

export function memberFromRow(row: MemberRow): MemberView {
  const { userId: id, username, displayName, registeredAt: createdAt } = row;
  return toMemberView(row, { id, username, displayName, createdAt });
}
