import type { StoredGroup } from '../group-view.js';
import type { GroupRole } from '../member.entity.js';
import { memberCount } from '../response-counts.js';

/** What the end of an account means for a group that it has to do with. */
export type Fate =
  /** Nobody else is in it. */
  | 'ENDS_TOO'
  /** Others are in it, and nobody else owns it. */
  | 'BLOCKS'
  /** The same, but it is cancelled: it goes on in the hands of the member who has been in it longest. */
  | 'HANDED_ON'
  /** It goes on without the account. */
  | 'GOES_ON';

export interface Standing {
  readonly group: Pick<StoredGroup, 'counts' | 'cancelledAt'>;
  /** Null for someone who is merely invited. */
  readonly role: GroupRole | null;
  readonly hasOtherOwner: boolean;
}

/**
 * The same as SQL: lists of groups by their fate are cut off where they are read.
 *
 * @param userId the parameter that holds the account's id; the group is `g`, the account's place in it `m`
 */
export function fateSql(userId: string): string {
  return `case
      when m.role is null then 'GOES_ON'
      when g.pending_count + g.accepted_count + g.tentative_count + g.declined_count = 1 then 'ENDS_TOO'
      when m.role <> 'OWNER' or exists (select from member where group_id = g.id and role = 'OWNER' and user_id <> ${userId}) then 'GOES_ON'
      when g.cancelled_at is null then 'BLOCKS'
      else 'HANDED_ON'
    end`;
}

export function fateOf({ group, role, hasOtherOwner }: Standing): Fate {
  if (role === null) return 'GOES_ON';
  if (memberCount(group.counts) === 1) return 'ENDS_TOO';
  if (role !== 'OWNER' || hasOtherOwner) return 'GOES_ON';
  return group.cancelledAt === null ? 'BLOCKS' : 'HANDED_ON';
}
