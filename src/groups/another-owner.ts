import type { EntityManager } from '@mikro-orm/postgresql';
import { ConflictError } from '../errors/index.js';
import { Member } from './member.entity.js';

/**
 * A group always keeps an owner, cancelled or not. Asked under the group's lock: two owners who stop being owners at the
 * same moment would otherwise each count on the other.
 *
 * @throws ConflictError `LAST_OWNER` when nobody else owns the member's group
 */
export async function requireAnotherOwner(em: EntityManager, { groupId, userId }: Pick<Member, 'groupId' | 'userId'>): Promise<void> {
  const others = await em.count(Member, { groupId, role: 'OWNER', userId: { $ne: userId } });
  if (others === 0) throw new ConflictError('LAST_OWNER');
}
