import type { EntityManager } from '@mikro-orm/postgresql';
import { RateLimitedError } from '../../errors/index.js';
import { InvitationMail } from './invitation-mail.entity.js';

const MOST_BY_INVITER_A_DAY = 200;
const MOST_TO_ADDRESS_A_DAY = 5;
const DAY_MS = 86_400_000;

interface Mailing {
  readonly inviterId: string;
  readonly emailKeys: readonly string[];
  readonly now: Date;
}

/** What the limits on invitation mails leave room for, within the caller's transaction. */
export interface InvitationMailRoom {
  /** False once an address has had its mails for the day, from all inviters together. */
  hasRoomFor(emailKey: string): boolean;
  /** Counts a mail that was queued. */
  take(taskId: string, emailKey: string): void;
}

/**
 * Counts the mails of the last day: the inviter's, and those to each address.
 *
 * The inviter's account and the addresses are locked until the transaction ends, so that calls at the same moment
 * do not each count without the other.
 *
 * @throws RateLimitedError when this many mails are more than the inviter may still send today
 */
export async function makeMailRoom(em: EntityManager, { inviterId, emailKeys, now }: Mailing): Promise<InvitationMailRoom> {
  if (emailKeys.length === 0) return { hasRoomFor: () => false, take: () => undefined };
  const since = new Date(now.getTime() - DAY_MS);
  await lockCounts(em, inviterId, emailKeys);
  await em.nativeDelete(InvitationMail, { at: { $lte: since } });
  const sent = await em.find(InvitationMail, { $or: [{ inviterId }, { emailKey: { $in: [...emailKeys] } }] }, { orderBy: { at: 'asc' } });
  const byInviter = sent.filter((mail) => mail.inviterId === inviterId);
  if (byInviter.length + emailKeys.length > MOST_BY_INVITER_A_DAY) throw tooMany(byInviter, emailKeys.length, now);
  const toAddress = new Map(emailKeys.map((key) => [key, sent.filter((mail) => mail.emailKey === key).length]));
  return {
    hasRoomFor: (key) => (toAddress.get(key) ?? 0) < MOST_TO_ADDRESS_A_DAY,
    take: (taskId, emailKey) => { em.persist(em.create(InvitationMail, { taskId, inviterId, emailKey, at: now })); },
  };
}

/** In one order for everyone, so that two calls never wait for each other. */
async function lockCounts(em: EntityManager, inviterId: string, emailKeys: readonly string[]): Promise<void> {
  await em.execute('select 1 from account where id = ? for no key update', [inviterId]);
  const keys = em.getPlatform().marshallArray(emailKeys.toSorted());
  await em.execute('select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(?::text[]) as key', [keys]);
}

/** Room comes back as the oldest mails pass out of the day. */
function tooMany(sent: readonly InvitationMail[], wanted: number, now: Date): RateLimitedError {
  const message = `An inviter may mail ${MOST_BY_INVITER_A_DAY} invitations a day.`;
  const toPass = sent[Math.min(sent.length + wanted - MOST_BY_INVITER_A_DAY, sent.length) - 1];
  const waitMs = toPass === undefined ? DAY_MS : toPass.at.getTime() + DAY_MS - now.getTime();
  return new RateLimitedError(Math.max(1, Math.ceil(waitMs / 1_000)), { message });
}
