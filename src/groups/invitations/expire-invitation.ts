import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { lockGroup } from '../change-group.js';
import { CLOCK } from '../group-ledger.js';
import { lapseInvitation } from './close-invitation.js';
import { Invitation } from './invitation.entity.js';

/** The task that records, at its time, that an invitation has expired. */
export const EXPIRE_INVITATION_TASK = 'expire_invitation';

/**
 * Records within the caller's transaction that an invitation has expired, so that the group no longer waits for it.
 *
 * @returns `SKIPPED` when it was answered, renewed or revoked before
 */
export async function expireInvitation(em: EntityManager, clock: Clock, invitationId: string): Promise<'DONE' | 'SKIPPED'> {
  const found = await em.findOne(Invitation, invitationId);
  if (found === null) return 'SKIPPED';
  const { ledger, now } = await lockGroup(em, found.groupId, CLOCK, clock);
  // Read anew: it may have been answered while the lock was waited for.
  await em.refresh(found);
  if (found.status !== 'OPEN' || found.expiresAt > now) return 'SKIPPED';
  lapseInvitation(ledger, found);
  return 'DONE';
}
