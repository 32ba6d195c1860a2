import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '../../async/durations.js';
import { enqueueTask } from '../../database/index.js';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';
import { NoticeRecipient } from './notice-recipient.entity.js';
import type { SecurityNotice } from './security-notices.js';

/** Whoever has an account in their hands must not flood its owner's mailbox with it; by then the owner has been warned. */
const MOST_OF_A_KIND_A_DAY = 5;

/** Sessions that are found stolen at the same moment hold no lock in common: each would else count without the others. */
const LOCK_COUNT = `select pg_advisory_xact_lock(hashtextextended(? || ' ' || ?, 0))`;

/** Finished tasks are kept for longer than a day, so all of them are counted. */
const OF_THIS_KIND = `
  select 1 from outbox_task
  where registered_user_id is null and payload ->> 'userId' = ?::text and name = ? and created_at > ? limit ?`;

/**
 * Queues, in the transaction of what it tells of, a mail to the address that is the account's own at present. So call it before
 * that address is replaced. An address that was never proven may be somebody else's, and is told nothing.
 *
 * @returns the task that owes the mail, for `deps.wake` after the commit; none without such an address, or after five of the kind in a day
 */
export async function enqueueSecurityNotice(
  em: EntityManager,
  account: LockedAccount,
  notice: SecurityNotice,
  now: Date,
): Promise<string[]> {
  assertLockHeld(em, account);
  const { id: userId, email, emailVerifiedAt } = account;
  if (email === null || emailVerifiedAt === null || (await wasTold(em, userId, notice, now))) return [];
  const task = enqueueTask(em, { name: notice, payload: { userId } }, now);
  em.persist(em.create(NoticeRecipient, { taskId: task.id, userId, email }));
  return [task.id];
}

async function wasTold(em: EntityManager, userId: string, notice: SecurityNotice, now: Date): Promise<boolean> {
  await em.execute(LOCK_COUNT, [notice, userId]);
  const told = await em.execute(OF_THIS_KIND, [userId, notice, new Date(now.getTime() - DAY_MS), MOST_OF_A_KIND_A_DAY]);
  return told.length === MOST_OF_A_KIND_A_DAY;
}
