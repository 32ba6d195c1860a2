import type { EntityManager } from '@mikro-orm/postgresql';
import { findUsers, type Clock } from '../../accounts/index.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findAndLockGroup, findMembersByUserId } from '../transaction/with-locked-group.js';
import { markClaimed } from './lock-invited-memberships.js';

/** Name of the task that closes an unanswered invitation to a member's verified address. A migration enqueues it. */
export const CONSUME_INVITATION_TASK = 'consume_invitation';

/**
 * Marks the unanswered invitation of a group to a member's verified address as claimed, in the caller's transaction.
 *
 * @returns `SKIPPED` when there is no such member or invitation
 */
export async function consumeInvitation(
  em: EntityManager,
  turn: GroupTurn,
  clock: Clock,
  userId: string,
): Promise<'DONE' | 'SKIPPED'> {
  const tx = await findAndLockGroup(em, turn, SYSTEM_AUTHOR, clock);
  if (tx === null) return 'SKIPPED';
  await findUsers(em, [{ userId }]);
  const member = (await findMembersByUserId(em, turn.groupId, [userId])).get(userId);
  const invitations = await PersonalInvitations.load(tx, { userIds: [userId] });
  const invitation = invitations.unansweredToUser(userId);
  if (member === undefined || invitation === undefined) return 'SKIPPED';
  markClaimed(tx.ledger, member, invitation);
  return 'DONE';
}
