import type { GroupRole } from '../model/member.entity.js';
import { hasOtherMemberSql } from './other-members.js';

/** What the end of an account means for a group that it has to do with. */
export type DeletionEffect =
  /** Nobody else is in it. */
  | 'ENDS_TOO'
  /** Others are in it, and nobody else owns it. */
  | 'BLOCKS'
  /** The same, but it is cancelled: it goes on in the hands of the member who has been in it longest. */
  | 'HANDED_ON'
  /** It goes on without the account. */
  | 'GOES_ON';

/** Others are those whose accounts exist. */
export interface AffectedGroup {
  readonly isCancelled: boolean;
  /** Null for someone who is merely invited. */
  readonly role: GroupRole | null;
  readonly hasOtherMember: boolean;
  readonly hasOtherOwner: boolean;
}

/**
 * SQL for the effect on a group: lists of groups by their effect are cut off where they are read.
 *
 * @param userId the parameter that holds the account's id; the group is `g`, the account's membership `m`
 */
export function fateSql(userId: string): string {
  return `case
      when m.role is null then 'GOES_ON'
      when not ${hasOtherMemberSql('g.id', userId)} then 'ENDS_TOO'
      when m.role <> 'OWNER' or ${hasOtherMemberSql('g.id', userId, 'OWNER')} then 'GOES_ON'
      when g.cancelled_at is null then 'BLOCKS'
      else 'HANDED_ON'
    end`;
}

export function deletionEffectOn({ isCancelled, role, hasOtherMember, hasOtherOwner }: AffectedGroup): DeletionEffect {
  if (role === null) return 'GOES_ON';
  if (!hasOtherMember) return 'ENDS_TOO';
  if (role !== 'OWNER' || hasOtherOwner) return 'GOES_ON';
  return isCancelled ? 'HANDED_ON' : 'BLOCKS';
}
