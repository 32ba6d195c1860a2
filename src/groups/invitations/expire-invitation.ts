import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { lapseInvitation } from './close-invitation.js';
import { lockInvitation } from './lock-invitation.js';

/** The task that records, at its time, that an invitation has expired. */
export const EXPIRE_INVITATION_TASK = 'expire_invitation';

/**
 * Records within the caller's transaction that an invitation has expired, so that the group no longer waits for it.
 *
 * @returns `SKIPPED` when it was answered, renewed or revoked before, or is gone
 */
export async function expireInvitation(
  em: EntityManager,
  turn: GroupTurn,
  clock: Clock,
  invitationId: string,
): Promise<'DONE' | 'SKIPPED'> {
  const tx = await lockInvitation(em, turn, invitationId, { author: SYSTEM_AUTHOR, clock });
  if (tx === null || tx.invitation.status !== 'OPEN' || tx.invitation.expiresAt > tx.now) return 'SKIPPED';
  lapseInvitation(tx.ledger, tx.invitation);
  return 'DONE';
}
