import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { findAndLockGroup, type GroupUnderLock } from '../change-group.js';
import type { Author } from '../group-ledger.js';
import { Invitation } from './invitation.entity.js';

export interface InvitationUnderLock extends GroupUnderLock {
  readonly invitation: Invitation;
}

/**
 * Locks the group of an invitation, and reads the invitation as it is from then on: it may have been claimed, replaced, or
 * erased with its addressee's account while the lock was waited for.
 *
 * @returns null when there is none, or none any more
 */
export async function lockInvitation(em: EntityManager, id: string, author: Author, clock: Clock): Promise<InvitationUnderLock | null> {
  const found = await em.findOne(Invitation, id);
  const locked = found === null ? null : await findAndLockGroup(em, found.groupId, author, clock);
  if (locked === null) return null;
  const invitation = await em.findOne(Invitation, id, { refresh: true });
  return invitation === null ? null : { ...locked, invitation };
}
