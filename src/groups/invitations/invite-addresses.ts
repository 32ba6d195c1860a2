import type { EntityManager } from '@mikro-orm/postgresql';
import { emailKey, newId, normalizeText, requireVerifiedEmail } from '../../accounts/index.js';
import { enqueue, type OutboxTask } from '../../database/index.js';
import type { LockedGroup } from '../change-group.js';
import { EXPIRE_INVITATION_TASK } from './expire-invitation.js';
import { Invitation } from './invitation.entity.js';
import { type InvitationMailRoom, makeMailRoom } from './mail-limits.js';

/** How long a mailed invitation can be claimed. */
export const INVITATION_DAYS = 14;
const DAY_MS = 86_400_000;

/** The task that mails an invitation's link. */
export const INVITATION_MAIL_TASK = 'mail_invitation';

/** Invites addresses to a locked group, one at a time and in the order of the revisions they make. */
export interface AddressInviter {
  /** Offers a place; the same one to an address that is named twice. */
  invite(email: string): Invitation;
  /** The mails that are owed by now. */
  readonly tasks: readonly OutboxTask[];
}

/**
 * Reads what inviting these addresses depends on: never whether one of them has an account.
 *
 * @throws ForbiddenError `EMAIL_NOT_VERIFIED` when the inviter has no verified address
 * @throws RateLimitedError when these are more mails than the inviter may send in a day
 */
export async function addressInviter(locked: LockedGroup, inviterId: string, emails: readonly string[]): Promise<AddressInviter> {
  const keys = [...new Set(emails.map(emailKey))];
  if (keys.length > 0) await requireVerifiedEmail(locked.em, inviterId);
  const standing = await findStanding(locked.em, locked.group.id, keys);
  const room = await makeMailRoom(locked.em, { inviterId, emailKeys: keys, now: locked.now });
  const invited = new Map<string, Invitation>();
  const tasks: OutboxTask[] = [];
  return {
    tasks,
    invite: (email) => {
      const key = emailKey(email);
      const invitation = invited.get(key) ?? inviteOnce(locked, { inviterId, email, key, standing: standing.get(key), room, tasks });
      invited.set(key, invitation);
      return invitation;
    },
  };
}

interface AddressToInvite {
  readonly inviterId: string;
  readonly email: string;
  readonly key: string;
  readonly standing: Invitation | undefined;
  readonly room: InvitationMailRoom;
  readonly tasks: OutboxTask[];
}

function inviteOnce(locked: LockedGroup, { inviterId, email, key, standing, room, tasks }: AddressToInvite): Invitation {
  const mayMail = room.hasRoomFor(key);
  const invitation = standing === undefined ? open(locked, inviterId, normalizeText(email), key) : again(locked, inviterId, standing, mayMail);
  if (!mayMail) return invitation;
  tasks.push(owe(locked, invitation, room));
  return invitation;
}

async function findStanding(em: EntityManager, groupId: string, keys: readonly string[]): Promise<Map<string, Invitation>> {
  if (keys.length === 0) return new Map();
  const found = await em.find(Invitation, { groupId, emailKey: { $in: [...keys] }, status: { $in: ['OPEN', 'LAPSED'] } });
  return new Map(found.map((invitation) => [invitation.emailKey, invitation]));
}

function open({ em, group, ledger, now }: LockedGroup, invitedById: string, email: string, key: string): Invitation {
  const invitation = em.create(Invitation, {
    id: newId(), groupId: group.id, email, emailKey: key, invitedById, issue: 1, createdAt: now, expiresAt: expiryFrom(now),
  });
  ledger.record({ cause: 'INVITED' }, ({ counts }) => { counts.openInvitations += 1; });
  em.persist(invitation);
  return invitation;
}

/**
 * A new link ends the old one, so where no mail can be sent an open invitation stays as it is. One that had
 * lapsed starts anew, as a revision: the group waits for that person again.
 */
function again({ ledger, now }: LockedGroup, inviterId: string, invitation: Invitation, mayMail: boolean): Invitation {
  if (invitation.status === 'OPEN' && !mayMail) return invitation;
  if (invitation.status === 'LAPSED') {
    ledger.record({ cause: 'INVITED' }, ({ counts }) => {
      counts.lapsedInvitations -= 1;
      counts.openInvitations += 1;
    });
    invitation.createdAt = now;
  }
  invitation.status = 'OPEN';
  invitation.issue += 1;
  invitation.invitedById = inviterId;
  invitation.expiresAt = expiryFrom(now);
  return invitation;
}

/** The mail, and the end of the time in which it can be claimed. */
function owe({ em, now }: LockedGroup, { id, issue, emailKey: key, expiresAt }: Invitation, room: InvitationMailRoom): OutboxTask {
  const payload = { invitationId: id, issue };
  const task = enqueue(em, { name: INVITATION_MAIL_TASK, payload }, now);
  enqueue(em, { name: EXPIRE_INVITATION_TASK, payload, dueAt: expiresAt }, now);
  room.take(task.id, key);
  return task;
}

function expiryFrom(now: Date): Date {
  return new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
}
