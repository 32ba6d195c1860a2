import type { EntityManager } from '@mikro-orm/postgresql';
import { DAY_MS } from '../../async/durations.js';
import { enqueueTask, statement, transactionOf } from '../../database/index.js';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';
import { NoticeRecipient } from './notice-recipient.entity.js';
import type { SecurityNotice } from './security-notices.js';

/** Keeps an attacker who controls the account from flooding the owner's mailbox. */
const MAX_PER_KIND_AND_DAY = 5;

/**
 * Advisory lock per kind and account. Reason: stolen sessions that are detected concurrently hold no other lock in
 * common, so their counts would miss each other.
 */
const LOCK_COUNT = statement<object>(
  'lock_notice_count',
  `
  select pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 0))`,
);

/** Finished tasks are retained for more than one day, so all of them are counted. */
const RECENT_NOTICES = statement<object>(
  'recent_notices',
  `
  select 1 from outbox_task
  where registered_user_id is null and payload ->> 'userId' = $1::text and name = $2 and created_at > $3 limit $4`,
);

/**
 * Enqueues, in the transaction of the event, a mail to the account's present address. Call it before that address is
 * replaced. An unverified address gets no mail, because it may belong to another person.
 *
 * @returns the id of the task, for `deps.dispatchTasks` after the commit; empty without a verified address, and after
 *   five notices of the kind within 24 h
 */
export async function enqueueSecurityNotice(
  em: EntityManager,
  account: LockedAccount,
  notice: SecurityNotice,
  now: Date,
): Promise<string[]> {
  assertLockHeld(em, account);
  const { id: userId, email, emailVerifiedAt } = account;
  if (email === null || emailVerifiedAt === null || (await isLimitReached(em, userId, notice, now))) return [];
  const task = enqueueTask(em, { name: notice, payload: { userId } }, now);
  em.persist(em.create(NoticeRecipient, { taskId: task.id, userId, email }));
  return [task.id];
}

async function isLimitReached(em: EntityManager, userId: string, notice: SecurityNotice, now: Date): Promise<boolean> {
  const transaction = transactionOf(em);
  await transaction.query(LOCK_COUNT, [notice, userId]);
  const recent = await transaction.query(RECENT_NOTICES, [
    userId,
    notice,
    new Date(now.getTime() - DAY_MS),
    MAX_PER_KIND_AND_DAY,
  ]);
  return recent.length === MAX_PER_KIND_AND_DAY;
}
