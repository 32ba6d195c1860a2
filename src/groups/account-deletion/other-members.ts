import type { GroupRole } from '../model/member.entity.js';

/**
 * SQL for whether a group has a member apart from one. Members whose accounts were deleted do not count, although their
 * memberships may remain for a while.
 *
 * @param groupId an expression or parameter, like `userId`
 * @param role null for any
 */
export function hasOtherMemberSql(groupId: string, userId: string, role: GroupRole | null = null): string {
  return `exists (
      select from member other join account on account.id = other.user_id and account.deleted_at is null
      where other.group_id = ${groupId} and other.user_id <> ${userId}${role === null ? '' : ` and other.role = '${role}'`})`;
}
