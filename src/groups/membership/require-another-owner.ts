import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf } from '../../database/index.js';
import { ConflictError } from '../../errors/index.js';
import type { GroupRole, Member } from '../model/member.entity.js';

/**
 * SQL for whether a group has a member other than the given user. Members with deleted accounts do not count; their
 * memberships remain until the deletion is finished.
 *
 * @param groupId SQL expression or parameter, like `userId`
 * @param role null for any role
 */
export function hasOtherMemberSql(groupId: string, userId: string, role: GroupRole | null = null): string {
  const hasRole = role === null ? '' : ` and other.role = '${role}'`;
  return `exists (
      select from member other join account on account.id = other.user_id and account.deleted_at is null
      where other.group_id = ${groupId} and other.user_id <> ${userId}${hasRole})`;
}

const HAS_OTHER_OWNER = statement<{ readonly hasOther: boolean }>(
  'has_other_owner',
  `
  select ${hasOtherMemberSql('$1', '$2', 'OWNER')} as "hasOther"`,
);

/**
 * Requires that the member's group has another owner. Applies to cancelled groups too.
 *
 * Requires the group's row lock; without it, two owners who leave concurrently would each count on the other.
 *
 * @throws ConflictError `LAST_OWNER`
 */
export async function requireAnotherOwner(
  em: EntityManager,
  { groupId, userId }: Pick<Member, 'groupId' | 'userId'>,
): Promise<void> {
  const [row] = await transactionOf(em).query(HAS_OTHER_OWNER, [groupId, userId]);
  if (row?.hasOther !== true) throw new ConflictError('LAST_OWNER');
}
