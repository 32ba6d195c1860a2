import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { statement, type Database } from '../../database/index.js';
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
 * Finds the group whose turn `lockInvitation` takes. An invitation never moves to another group.
 *
 * @returns null when there is no such invitation
 */
export async function findGroupOfInvitation(
  { database }: { readonly database: Database },
  id: string,
): Promise<string | null> {
  const [found] = await database.query(GROUP_OF_INVITATION, [id]);
  return found?.groupId ?? null;
}

/**
 * Locks the group of an invitation, and reads the invitation as it is from then on: it may have been claimed, replaced, or
 * erased with its addressee's account before.
 *
 * @param turn of the group that `findGroupOfInvitation` gave
 * @returns null when there is none, or none any more
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
