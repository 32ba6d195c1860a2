import type { EntityManager } from '@mikro-orm/postgresql';
import { statement, transactionOf, type Database } from '../../database/index.js';
import { ConflictError } from '../../errors/index.js';
import { hasOtherMemberSql } from '../membership/require-another-owner.js';

interface OwnedGroup {
  readonly id: string;
  readonly hasOtherOwner: boolean;
}

/** The groups that can block the deletion of an account: not cancelled, owned by it, with another member. */
const OWNED_WITH_OTHERS = statement<OwnedGroup>(
  'owned_with_others',
  `
  select m.group_id as id, ${hasOtherMemberSql('m.group_id', 'm.user_id', 'OWNER')} as "hasOtherOwner"
  from member m join groups g on g.id = m.group_id
  where m.user_id = $1 and m.role = 'OWNER' and g.cancelled_at is null
    and ${hasOtherMemberSql('m.group_id', 'm.user_id')}
  order by m.group_id`,
);

/** Finds the ids of the groups that can block the deletion of an account, in ascending order. */
export async function findOwnedGroupsWithOthers(database: Database, userId: string): Promise<string[]> {
  return (await database.query(OWNED_WITH_OTHERS, [userId])).map(({ id }) => id);
}

/**
 * Requires that no group blocks the deletion of an account.
 *
 * Requires the row locks of `lockedGroupIds` and of the account, so that no owner leaves concurrently.
 *
 * @returns false when a group that is not locked can block the deletion; nothing is decided then
 * @throws ConflictError `SOLE_OWNER_OF_GROUPS`
 */
export async function requireNoSoleOwnership(
  em: EntityManager,
  userId: string,
  lockedGroupIds: readonly string[],
): Promise<boolean> {
  const owned = await transactionOf(em).query(OWNED_WITH_OTHERS, [userId]);
  if (owned.some(({ id }) => !lockedGroupIds.includes(id))) return false;
  if (owned.some(({ hasOtherOwner }) => !hasOtherOwner)) throw new ConflictError('SOLE_OWNER_OF_GROUPS');
  return true;
}
