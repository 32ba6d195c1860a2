import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { lapseInvitation } from './close-invitation.js';
import { lockInvitation } from './lock-invitation.js';

/** Name of the task that records the expiry of an invitation. */
export const EXPIRE_INVITATION_TASK = 'expire_invitation';

/**
 * Records in the caller's transaction that an invitation has expired, so that the group's state no longer waits for it.
 *
 * @returns `SKIPPED` when the invitation was answered, renewed, revoked or deleted
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
