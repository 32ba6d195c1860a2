import { emailKey, newId, normalizeText } from '../../accounts/index.js';
import { DAY_MS } from '../../async/durations.js';
import { enqueueTask, type OutboxTask } from '../../database/index.js';
import { lapseInvitation } from '../invitations/close-invitation.js';
import { EXPIRE_INVITATION_TASK } from '../invitations/expire-invitation.js';
import { Invitation, isClaimable } from '../invitations/invitation.entity.js';
import type { PersonalInvitations } from '../invitations/personal-invitations.js';
import type { AuthorizedGroupTransaction } from '../transaction/with-locked-group.js';
import { createMailBudget, type InvitationMailBudget, type InvitationMailLimits } from './invitation-mail-budget.js';

/** Time from sending a link until its invitation expires. */
const INVITATION_TTL_DAYS = 14;

/** Name of the task that mails an invitation's link. */
export const INVITATION_MAIL_TASK = 'mail_invitation';

interface EmailsToInvite {
  readonly inviterId: string;
  readonly emailKeys: readonly string[];
  /** Null for no limits. */
  readonly quotas: InvitationMailLimits | null;
  /** Loaded for `emailKeys`. */
  readonly invitations: PersonalInvitations;
}

/**
 * Invites email addresses to a locked group, within the mail budget. Each new invitation is one revision. Whether an
 * address has an account makes no difference, unless it is the verified address of a member.
 */
export class EmailInviter {
  /** Tasks of the mails enqueued so far. */
  readonly mails: OutboxTask[] = [];
  readonly #tx: AuthorizedGroupTransaction;
  readonly #inviterId: string;
  readonly #existing: PersonalInvitations;
  readonly #budget: InvitationMailBudget;
  readonly #invited = new Map<string, Invitation>();

  private constructor(
    tx: AuthorizedGroupTransaction,
    inviterId: string,
    existing: PersonalInvitations,
    budget: InvitationMailBudget,
  ) {
    this.#tx = tx;
    this.#inviterId = inviterId;
    this.#existing = existing;
    this.#budget = budget;
  }

  /**
   * Creates an inviter with its mail budget. Requires the locks of `createMailBudget`.
   *
   * @throws RateLimitedError when the mails exceed the inviter's limit
   */
  static async create(
    tx: AuthorizedGroupTransaction,
    { inviterId, emailKeys, quotas, invitations }: EmailsToInvite,
  ): Promise<EmailInviter> {
    const newKeys = emailKeys.filter((key) => !invitations.isMemberAddress(key));
    const budget = await createMailBudget(tx.em, quotas, { inviterId, emailKeys: newKeys, now: tx.now });
    return new EmailInviter(tx, inviterId, invitations, budget);
  }

  /**
   * Invites one address. Returns the same invitation for a repeated address.
   *
   * @returns null for the verified address of a member
   */
  invite(email: string): Invitation | null {
    const key = emailKey(email);
    if (this.#existing.isMemberAddress(key)) return null;
    const invitation = this.#invited.get(key) ?? this.#inviteOnce(email, key);
    this.#invited.set(key, invitation);
    return invitation;
  }

  #inviteOnce(email: string, key: string): Invitation {
    const tx = this.#tx;
    const existing = this.#existing.unansweredTo(key);
    const mayMail = this.#budget.allows(key);
    // A new link would invalidate the old one; without a mail the old link stays valid.
    if (existing !== undefined && isClaimable(existing, tx.now) && !mayMail) return existing;
    const invitation = existing === undefined ? createInvitation(tx, email, key) : renewInvitation(tx, existing);
    issueLink(tx, invitation, this.#inviterId);
    this.#existing.add(invitation);
    if (mayMail) this.#enqueueMail(invitation);
    return invitation;
  }

  #enqueueMail({ id: invitationId, issue, emailKey: key }: Invitation): void {
    const { em, now } = this.#tx;
    const task = enqueueTask(em, { name: INVITATION_MAIL_TASK, payload: { invitationId, issue } }, now);
    this.#budget.spend(task.id, key);
    this.mails.push(task);
  }
}

function createInvitation(
  { em, group, ledger, now }: AuthorizedGroupTransaction,
  email: string,
  key: string,
): Invitation {
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

/** Reopens an expired invitation, as a revision; an open one stays unchanged. */
function renewInvitation({ ledger, now }: AuthorizedGroupTransaction, invitation: Invitation): Invitation {
  if (isClaimable(invitation, now)) return invitation;
  // Expired, but not recorded yet by the task.
  if (invitation.status === 'OPEN') lapseInvitation(ledger, invitation);
  ledger.record({ cause: 'INVITED' }, ({ counts }) => {
    counts.lapsedInvitations -= 1;
    counts.openInvitations += 1;
  });
  return Object.assign(invitation, { status: 'OPEN', createdAt: now } satisfies Partial<Invitation>);
}

/** Replaces the link of an invitation and restarts its time to expiry. */
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
