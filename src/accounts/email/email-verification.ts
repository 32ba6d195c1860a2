import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { EmailVerification } from './email-verification.entity.js';

/** How long a mailed verification link works. */
export const VERIFICATION_HOURS = 24;
const HOUR_MS = 3_600_000;

/** The task that mails a verification link; registration owes it, and asking again queues it again. */
export const VERIFY_EMAIL_TASK = 'verify_email';

export interface AddressToVerify {
  readonly userId: string;
  readonly email: string;
  readonly emailKey: string;
}

/**
 * Begins, in the caller's transaction, to ask for proof of an address; secrets mailed before stop working.
 *
 * A number is never given out twice, also when the row was erased in between: a link that was mailed to one address would else
 * prove another.
 */
export async function askForProof(em: EntityManager, address: AddressToVerify, now: Date): Promise<void> {
  const issue = await nextIssue(em);
  const expiresAt = new Date(now.getTime() + VERIFICATION_HOURS * HOUR_MS);
  const earlier = await em.findOne(EmailVerification, { userId: address.userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (earlier === null) em.persist(em.create(EmailVerification, { ...address, issue, expiresAt }));
  else em.assign(earlier, { ...address, issue, expiresAt, usedAt: null });
}

async function nextIssue(em: EntityManager): Promise<number> {
  const [next] = await em.execute<{ issue: number }[]>(`select nextval('email_verification_issue')::integer as issue`);
  if (next === undefined) throw new Error('The sequence of verification links gave no number.');
  return next.issue;
}
