import type { EntityManager } from '@mikro-orm/postgresql';
import { HOUR_MS } from '../../async/durations.js';
import { assertLockHeld, type LockedAccount } from '../identity/locked-account.js';
import { emailKey } from '../input/email.js';
import { EmailVerification } from './email-verification.entity.js';

/** How long a mailed verification link works. */
export const VERIFICATION_LINK_TTL_HOURS = 24;

/** The task that mails a verification link; registration owes it, and asking again queues it again. */
export const VERIFY_EMAIL_TASK = 'verify_email';

/** Issues come from a sequence and never repeat: after the row was erased, an old link must not prove another address. */
const ASK = `
  insert into email_verification (user_id, email, email_key, issue, expires_at)
  values (?, ?, ?, nextval('email_verification_issue')::integer, ?)
  on conflict (user_id) do update
  set email = excluded.email, email_key = excluded.email_key, issue = excluded.issue, expires_at = excluded.expires_at,
    used_at = null`;

/** Begins, in the caller's transaction, to ask for proof of an address; secrets mailed before stop working. */
export async function startEmailVerification(
  em: EntityManager,
  account: LockedAccount,
  email: string,
  now: Date,
): Promise<void> {
  assertLockHeld(em, account);
  const expiresAt = new Date(now.getTime() + VERIFICATION_LINK_TTL_HOURS * HOUR_MS);
  await em.execute(ASK, [account.id, email, emailKey(email), expiresAt]);
}

/** The address that the account was asked to prove last, proven or not; null when none is on record. */
export async function findEmailVerification(
  em: EntityManager,
  account: LockedAccount,
): Promise<EmailVerification | null> {
  assertLockHeld(em, account);
  return em.findOne(EmailVerification, { userId: account.id });
}

/** Ends the account's pending address: links to it stop working. */
export async function cancelEmailVerification(em: EntityManager, account: LockedAccount): Promise<void> {
  assertLockHeld(em, account);
  await em.nativeDelete(EmailVerification, { userId: account.id });
}
