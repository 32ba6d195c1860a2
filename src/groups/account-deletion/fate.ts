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

export function fateOf({ group, role, hasOtherOwner }: Standing): Fate {
  if (role === null) return 'GOES_ON';
  if (memberCount(group.counts) === 1) return 'ENDS_TOO';
  if (role !== 'OWNER' || hasOtherOwner) return 'GOES_ON';
  return group.cancelledAt === null ? 'BLOCKS' : 'HANDED_ON';
}
