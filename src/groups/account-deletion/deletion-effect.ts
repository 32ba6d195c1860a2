import { hasOtherMemberSql } from '../membership/require-another-owner.js';
import type { GroupRole } from '../model/member.entity.js';

/** Effect of deleting an account on one of its groups. Other members and owners are those whose accounts exist. */
export type DeletionEffect =
  /** The group has no other member. */
  | 'DELETE_GROUP'
  /** The account is the only owner, and the group has other members. */
  | 'BLOCK_DELETION'
  /** As BLOCK_DELETION, but the group is cancelled: its longest-standing other member becomes owner. */
  | 'TRANSFER_OWNERSHIP'
  /** The group continues without the account. */
  | 'KEEP_GROUP';

interface AffectedGroup {
  readonly isCancelled: boolean;
  /** Role of the account; null when it is only invited. */
  readonly role: GroupRole | null;
  readonly hasOtherMember: boolean;
  readonly hasOtherOwner: boolean;
}

export function deletionEffectOn({ isCancelled, role, hasOtherMember, hasOtherOwner }: AffectedGroup): DeletionEffect {
  if (role === null) return 'KEEP_GROUP';
  if (!hasOtherMember) return 'DELETE_GROUP';
  if (role !== 'OWNER' || hasOtherOwner) return 'KEEP_GROUP';
  return isCancelled ? 'TRANSFER_OWNERSHIP' : 'BLOCK_DELETION';
}

/**
 * SQL for `deletionEffectOn`, for lists that are limited after filtering by effect.
 *
 * @param userId parameter with the account's id; the group is `g`, the account's membership `m`
 */
export function deletionEffectSql(userId: string): string {
  return `case
      when m.role is null then 'KEEP_GROUP'
      when not ${hasOtherMemberSql('g.id', userId)} then 'DELETE_GROUP'
      when m.role <> 'OWNER' or ${hasOtherMemberSql('g.id', userId, 'OWNER')} then 'KEEP_GROUP'
      when g.cancelled_at is null then 'BLOCK_DELETION'
      else 'TRANSFER_OWNERSHIP'
    end`;
}
