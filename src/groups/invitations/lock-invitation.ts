import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { statement, type Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { ChangeAuthor } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findAndLockGroup, type GroupTransaction } from '../transaction/with-locked-group.js';
import { Invitation } from './invitation.entity.js';

export interface InvitationTransaction extends GroupTransaction {
  readonly invitation: Invitation;
}

const GROUP_OF_INVITATION = statement<{ groupId: string }>(
  'group_of_invitation',
  `
  select group_id as "groupId" from invitation where id = $1`,
);

/**
 * Finds the group of an invitation, whose turn `lockInvitation` takes. The group of an invitation never changes.
 *
 * @returns null when the invitation does not exist
 */
export async function findGroupOfInvitation(
  { database }: { readonly database: Database },
  id: string,
): Promise<string | null> {
  const [found] = await database.query(GROUP_OF_INVITATION, [id]);
  return found?.groupId ?? null;
}

export function invitationNotFound(): NotFoundError {
  return new NotFoundError('INVITATION_NOT_FOUND');
}

/**
 * Locks the group of an invitation and reads the invitation under the lock. It may have any status.
 *
 * @param turn turn of the group that `findGroupOfInvitation` returned
 * @returns null when the invitation does not exist
 */
export async function lockInvitation(
  em: EntityManager,
  turn: GroupTurn,
  id: string,
  { author, clock }: { readonly author: ChangeAuthor; readonly clock: Clock },
): Promise<InvitationTransaction | null> {
  const tx = await findAndLockGroup(em, turn, author, clock);
  const invitation = tx === null ? null : await em.findOne(Invitation, { id, groupId: turn.groupId });
  return tx === null || invitation === null ? null : { ...tx, invitation };
}
