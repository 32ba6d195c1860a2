import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAddresses, type RateLimit } from '../../accounts/index.js';
import { DAY_MS } from '../../async/durations.js';
import { RateLimitedError } from '../../errors/index.js';
import { InvitationMailRecord } from './invitation-mail-record.entity.js';

/** How many invitations are mailed; windows of a day at most. */
export interface InvitationMailLimits {
  readonly byInviter: RateLimit;
  /** From all inviters together. */
  readonly toAddress: RateLimit;
}

/** For how long mails are counted. */
export const INVITATION_MAIL_WINDOW_MS = DAY_MS;

interface Mailing {
  readonly inviterId: string;
  readonly emailKeys: readonly string[];
  readonly now: Date;
}

/** What the limits on invitation mails leave room for, within the caller's transaction. */
export interface InvitationMailBudget {
  /** False while an address has had all the mails that it may get. */
  hasRoomFor(emailKey: string): boolean;
  /** Counts a mail that was queued. */
  take(taskId: string, emailKey: string): void;
}

/**
 * Counts the mails of late: the inviter's, and those to each address.
 *
 * Requires `lockMailing`, so that calls at the same moment do not each count without the other.
 *
 * @param quotas null for no limits
 * @throws RateLimitedError when this many mails are more than the inviter may send at present
 */
export async function createMailBudget(
  em: EntityManager,
  quotas: InvitationMailLimits | null,
  mailing: Mailing,
): Promise<InvitationMailBudget> {
  const { inviterId, emailKeys, now } = mailing;
  if (quotas === null || emailKeys.length === 0) return { hasRoomFor: () => true, take: () => undefined };
  const sent = await findCounted(em, mailing);
  const within = ({ windowSeconds }: RateLimit) =>
    sent.filter(({ at }) => at.getTime() > now.getTime() - windowSeconds * 1_000);
  requireRoom(
    quotas.byInviter,
    within(quotas.byInviter).filter((mail) => mail.inviterId === inviterId),
    mailing,
  );
  const toAddresses = within(quotas.toAddress);
  return {
    hasRoomFor: (key) => toAddresses.filter((mail) => mail.emailKey === key).length < quotas.toAddress.quota,
    take: (taskId, emailKey) => {
      em.persist(em.create(InvitationMailRecord, { taskId, inviterId, emailKey, at: now }));
    },
  };
}

/**
 * Locks the counts of the inviter and of the addresses until the transaction ends, in one order for all callers.
 *
 * The locks are advisory, because the transaction may hold a share of the inviter's row, and two transactions that
 * upgrade their shares deadlock. An id is never an address. Lock order: account rows before these.
 */
export async function lockMailing(em: EntityManager, { inviterId, emailKeys }: Omit<Mailing, 'now'>): Promise<void> {
  await lockAddresses(em, [inviterId, ...emailKeys]);
}

/** Oldest first. */
async function findCounted(em: EntityManager, { inviterId, emailKeys, now }: Mailing): Promise<InvitationMailRecord[]> {
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

/** Room comes back as the oldest mails pass out of the window. */
function requireRoom(
  { quota, windowSeconds }: RateLimit,
  sent: readonly InvitationMailRecord[],
  { emailKeys, now }: Mailing,
): void {
  const tooMany = sent.length + emailKeys.length - quota;
  if (tooMany <= 0) return;
  const lastToPass = sent[tooMany - 1]?.at ?? now;
  const waitSeconds = Math.ceil((lastToPass.getTime() - now.getTime()) / 1_000) + windowSeconds;
  throw new RateLimitedError(waitSeconds, { policy: { name: 'invitation-mail', quota, windowSeconds } });
}
