import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAddresses, type RateLimit } from '../../accounts/index.js';
import { DAY_MS } from '../../async/durations.js';
import { RateLimitedError } from '../../errors/index.js';
import { InvitationMailRecord } from '../invitations/invitation-mail-record.entity.js';

/** Limits of invitation mails. Windows are at most one day. */
export interface InvitationMailLimits {
  readonly byInviter: RateLimit;
  /** Mails to one address, from all inviters together. */
  readonly toAddress: RateLimit;
}

/** Retention of mail records: the longest window of a limit. */
export const INVITATION_MAIL_WINDOW_MS = DAY_MS;

interface Mailing {
  readonly inviterId: string;
  readonly emailKeys: readonly string[];
  readonly now: Date;
}

/** Remaining budget of invitation mails in the caller's transaction. */
export interface InvitationMailBudget {
  /** Whether a mail to the address is within its limit. */
  allows(emailKey: string): boolean;
  /** Records an enqueued mail. */
  spend(taskId: string, emailKey: string): void;
}

/**
 * Creates the budget from the mails in the current windows: the inviter's mails, and the mails to each address.
 *
 * Requires `lockMailing`, so that concurrent calls count each other's mails.
 *
 * @param quotas null for no limits
 * @throws RateLimitedError when the mails to all `emailKeys` exceed the inviter's limit
 */
export async function createMailBudget(
  em: EntityManager,
  quotas: InvitationMailLimits | null,
  mailing: Mailing,
): Promise<InvitationMailBudget> {
  const { inviterId, emailKeys, now } = mailing;
  if (quotas === null || emailKeys.length === 0) return { allows: () => true, spend: () => undefined };
  const sent = await findRecentMails(em, mailing);
  const within = ({ windowSeconds }: RateLimit) =>
    sent.filter(({ at }) => at.getTime() > now.getTime() - windowSeconds * 1_000);
  requireWithinLimit(
    quotas.byInviter,
    within(quotas.byInviter).filter((mail) => mail.inviterId === inviterId),
    mailing,
  );
  const toAddresses = within(quotas.toAddress);
  return {
    allows: (key) => toAddresses.filter((mail) => mail.emailKey === key).length < quotas.toAddress.quota,
    spend: (taskId, emailKey) => {
      em.persist(em.create(InvitationMailRecord, { taskId, inviterId, emailKey, at: now }));
    },
  };
}

/**
 * Takes transaction-level advisory locks on the mail counts of the inviter and of the addresses, in one order for all
 * callers. Lock order: account rows before these. Ids and addresses cannot collide.
 *
 * Reason for advisory locks: two transactions that hold a share lock on the inviter's row deadlock when both upgrade.
 */
export async function lockMailing(em: EntityManager, { inviterId, emailKeys }: Omit<Mailing, 'now'>): Promise<void> {
  await lockAddresses(em, [inviterId, ...emailKeys]);
}

/** @returns mail records of the last day, oldest first */
async function findRecentMails(
  em: EntityManager,
  { inviterId, emailKeys, now }: Mailing,
): Promise<InvitationMailRecord[]> {
  const at = { $gt: new Date(now.getTime() - INVITATION_MAIL_WINDOW_MS) };
  return em.find(
    InvitationMailRecord,
    {
      $or: [
        { inviterId, at },
        { emailKey: { $in: [...emailKeys] }, at },
      ],
    },
    { orderBy: { at: 'asc' } },
  );
}

/** @throws RateLimitedError with the time until enough of the oldest mails have left the window */
function requireWithinLimit(
  { quota, windowSeconds }: RateLimit,
  sent: readonly InvitationMailRecord[],
  { emailKeys, now }: Mailing,
): void {
  const excess = sent.length + emailKeys.length - quota;
  if (excess <= 0) return;
  const lastToExpire = sent[excess - 1]?.at ?? now;
  const waitSeconds = Math.ceil((lastToExpire.getTime() - now.getTime()) / 1_000) + windowSeconds;
  throw new RateLimitedError(waitSeconds, { policy: { name: 'invitation-mail', quota, windowSeconds } });
}
