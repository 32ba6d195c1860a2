import type { EntityManager } from '@mikro-orm/postgresql';
import { findUsers, type Clock } from '../../accounts/index.js';
import { SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findAndLockGroup, findMembers } from '../transaction/with-locked-group.js';
import { consumeOne } from './lock-invited-memberships.js';
import { PersonalInvitations } from './personal-invitations.js';

/** The task that uses up an unanswered invitation to the verified address of a member; a migration enqueues it. */
export const CONSUME_INVITATION_TASK = 'consume_invitation';

/**
 * Uses up the unanswered invitation of a group to the verified address of a member, within the caller's transaction.
 *
 * @returns `SKIPPED` when there is none, or none any more
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
  const member = (await findMembers(em, turn.groupId, [userId])).get(userId);
  const invitations = await PersonalInvitations.load(tx, { userIds: [userId] });
  const invitation = invitations.unansweredToUser(userId);
  if (member === undefined || invitation === undefined) return 'SKIPPED';
  consumeOne(tx.ledger, member, invitation);
  return 'DONE';
}
