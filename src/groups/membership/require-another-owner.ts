import type { EntityManager } from '@mikro-orm/postgresql';
import { ConflictError } from '../../errors/index.js';
import { hasOtherMemberSql } from '../account-deletion/other-members.js';
import type { Member } from '../model/member.entity.js';

/**
 * A group always keeps an owner, cancelled or not. Asked under the group's lock: two owners who stop being owners at the
 * same moment would otherwise each count on the other. An owner whose account was deleted is none.
 *
 * @throws ConflictError `LAST_OWNER` when nobody else owns the member's group
 */
export async function requireAnotherOwner(
  em: EntityManager,
  { groupId, userId }: Pick<Member, 'groupId' | 'userId'>,
): Promise<void> {
  const [row] = await em.execute<{ has_other: boolean }[]>(
    `select ${hasOtherMemberSql('?', '?', 'OWNER')} as has_other`,
    [groupId, userId],
  );
  if (row?.has_other !== true) throw new ConflictError('LAST_OWNER');
}
