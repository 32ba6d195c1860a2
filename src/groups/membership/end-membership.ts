import type { ChangeCause } from '../model/group-change.entity.js';
import type { Member } from '../model/member.entity.js';
import { adjustCounts } from '../model/response-counts.js';
import type { AuthorizedGroupTransaction } from '../transaction/with-locked-group.js';
import { requireAnotherOwner } from './require-another-owner.js';

/**
 * Ends a member's place in a locked group: list and counts forget them, the history keeps what happened.
 *
 * @throws ConflictError `LAST_OWNER`
 */
export async function endMembership(
  tx: AuthorizedGroupTransaction,
  member: Member,
  cause: Extract<ChangeCause, 'LEFT' | 'REMOVED'>,
): Promise<void> {
  const { em, ledger, members } = tx;
  if (member.role === 'OWNER') await requireAnotherOwner(em, member);
  ledger.record({ cause, subjectId: member.userId }, ({ counts }) => {
    adjustCounts(counts, member.status, null);
  });
  em.remove(member);
  members.delete(member.userId);
}
