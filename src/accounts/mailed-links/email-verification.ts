import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR_MS } from '../../async/durations.js';
import { statement, transactionOf } from '../../database/index.js';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';
import { emailKey } from '../input/email.js';
import { EmailVerification } from './email-verification.entity.js';

/** How long a mailed verification link is valid. */
export const VERIFICATION_LINK_TTL_HOURS = 24;

/** The task that mails a verification link. Registration enqueues it, and so does each further request. */
export const VERIFY_EMAIL_TASK = 'verify_email';

/**
 * Versions come from a sequence and never repeat: after the row was erased, an old link must not verify another
 * address.
 */
const START_VERIFICATION = statement<never>(
  'start_email_verification',
  `
  insert into email_verification (user_id, email, email_key, issue, expires_at)
  values ($1, $2, $3, nextval('email_verification_issue')::integer, $4)
  on conflict (user_id) do update
  set email = excluded.email, email_key = excluded.email_key, issue = excluded.issue, expires_at = excluded.expires_at,
    used_at = null`,
);

/** Starts the verification of an address, in the caller's transaction. Invalidates links that were mailed before. */
export async function startEmailVerification(
  em: EntityManager,
  account: LockedAccount,
  email: string,
  now: Date,
): Promise<void> {
  assertLockHeld(em, account);
  const expiresAt = verificationExpiry(now);
  await transactionOf(em).query(START_VERIFICATION, [account.id, email, emailKey(email), expiresAt]);
}

/** Expiry of a link that is mailed now. */
export function verificationExpiry(now: Date): Date {
  return new Date(now.getTime() + VERIFICATION_LINK_TTL_HOURS * HOUR_MS);
}

/** Finds the latest verification of the account, completed or not; null when none is stored. */
export async function findEmailVerification(
  em: EntityManager,
  account: LockedAccount,
): Promise<EmailVerification | null> {
  assertLockHeld(em, account);
  return em.findOne(EmailVerification, { userId: account.id });
}

/** Deletes the account's verification, which invalidates its links. */
export async function cancelEmailVerification(em: EntityManager, account: LockedAccount): Promise<void> {
  assertLockHeld(em, account);
  await em.nativeDelete(EmailVerification, { userId: account.id });
}
