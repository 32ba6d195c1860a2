import { emailKey, newId, normalizeText } from '../../accounts/index.js';
import { DAY_MS } from '../../async/durations.js';
import { enqueueTask, type OutboxTask } from '../../database/index.js';
import { lapseInvitation } from '../invitations/close-invitation.js';
import { EXPIRE_INVITATION_TASK } from '../invitations/expire-invitation.js';
import { Invitation, isClaimable } from '../invitations/invitation.entity.js';
import type { PersonalInvitations } from '../invitations/personal-invitations.js';
import type { AuthorizedGroupTransaction } from '../transaction/with-locked-group.js';
import { createMailBudget, type InvitationMailBudget, type InvitationMailLimits } from './invitation-mail-budget.js';

/** How long an invitation can be claimed. */
export const INVITATION_TTL_DAYS = 14;

/** The task that mails an invitation's link. */
export const INVITATION_MAIL_TASK = 'mail_invitation';

/** Whose invitations they are, to which addresses, and how many may be mailed; null for no limits. */
export interface EmailsToInvite {
  readonly inviterId: string;
  readonly emailKeys: readonly string[];
  readonly quotas: InvitationMailLimits | null;
  readonly invitations: PersonalInvitations;
}

/**
 * Invites addresses to a locked group, one at a time and in the order of the revisions they make. Whether one of them
 * has an account plays no part, unless it is the verified address of a member.
 */
export class EmailInviter {
  /** The mails that are owed by now. */
  readonly mails: OutboxTask[] = [];
  readonly #locked: AuthorizedGroupTransaction;
  readonly #inviterId: string;
  readonly #invitations: PersonalInvitations;
  readonly #room: InvitationMailBudget;
  readonly #invited = new Map<string, Invitation>();

  private constructor(
    tx: AuthorizedGroupTransaction,
    inviterId: string,
    invitations: PersonalInvitations,
    room: InvitationMailBudget,
  ) {
    this.#locked = tx;
    this.#inviterId = inviterId;
    this.#invitations = invitations;
    this.#room = room;
  }

  /**
   * Reads what inviting these addresses depends on. The caller holds the locks that `createMailBudget` requires.
   *
   * @throws RateLimitedError when these are more mails than the inviter may send in a day
   */
  static async for(
    tx: AuthorizedGroupTransaction,
    { inviterId, emailKeys, quotas, invitations }: EmailsToInvite,
  ): Promise<EmailInviter> {
    const newKeys = emailKeys.filter((key) => !invitations.isMemberAddress(key));
    const room = await createMailBudget(tx.em, quotas, { inviterId, emailKeys: newKeys, now: tx.now });
    return new EmailInviter(tx, inviterId, invitations, room);
  }

  /**
   * Offers a place; the same one to an address that is named twice.
   *
   * @returns null for the verified address of a member
   */
  invite(email: string): Invitation | null {
    const key = emailKey(email);
    if (this.#invitations.isMemberAddress(key)) return null;
    const invitation = this.#invited.get(key) ?? this.#inviteOnce(email, key);
    this.#invited.set(key, invitation);
    return invitation;
  }

  #inviteOnce(email: string, key: string): Invitation {
    const tx = this.#locked;
    const before = this.#invitations.unansweredTo(key);
    const mayMail = this.#room.hasRoomFor(key);
    // A new link ends the old one, so where none can be mailed the old one stays.
    if (before !== undefined && isClaimable(before, tx.now) && !mayMail) return before;
    const invitation = before === undefined ? offer(tx, email, key) : offerAgain(tx, before);
    issueLink(tx, invitation, this.#inviterId);
    this.#invitations.add(invitation);
    if (mayMail) this.#mail(invitation);
    return invitation;
  }

  #mail({ id: invitationId, issue, emailKey: key }: Invitation): void {
    const { em, now } = this.#locked;
    const task = enqueueTask(em, { name: INVITATION_MAIL_TASK, payload: { invitationId, issue } }, now);
    this.#room.take(task.id, key);
    this.mails.push(task);
  }
}

function offer({ em, group, ledger, now }: AuthorizedGroupTransaction, email: string, key: string): Invitation {
  ledger.record({ cause: 'INVITED' }, ({ counts }) => {
    counts.openInvitations += 1;
  });
  const invitation = em.create(Invitation, {
    id: newId(),
    groupId: group.id,
    email: normalizeText(email),
    emailKey: key,
    issue: 0,
    createdAt: now,
    expiresAt: now,
  });
  em.persist(invitation);
  return invitation;
}

/** One that has expired starts anew, as a revision: the group waits for that person again, who is still one person. */
function offerAgain({ ledger, now }: AuthorizedGroupTransaction, invitation: Invitation): Invitation {
  if (isClaimable(invitation, now)) return invitation;
  // Found before its task has recorded it.
  if (invitation.status === 'OPEN') lapseInvitation(ledger, invitation);
  ledger.record({ cause: 'INVITED' }, ({ counts }) => {
    counts.lapsedInvitations -= 1;
    counts.openInvitations += 1;
  });
  return Object.assign(invitation, { status: 'OPEN', createdAt: now } satisfies Partial<Invitation>);
}

/** A new link ends the one before it, and begins the time in which it can be claimed. */
function issueLink({ em, now }: AuthorizedGroupTransaction, invitation: Invitation, invitedById: string): void {
  const expiresAt = new Date(now.getTime() + INVITATION_TTL_DAYS * DAY_MS);
  Object.assign(invitation, { issue: invitation.issue + 1, invitedById, expiresAt } satisfies Partial<Invitation>);
  enqueueTask(
    em,
    {
      name: EXPIRE_INVITATION_TASK,
      payload: { invitationId: invitation.id, issue: invitation.issue },
      dueAt: expiresAt,
    },
    now,
  );
}
