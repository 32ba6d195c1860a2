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

/** Begins, in the caller's transaction, to ask for proof of an address; secrets mailed before stop working. */
export async function askForProof(em: EntityManager, address: AddressToVerify, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + VERIFICATION_HOURS * HOUR_MS);
  const earlier = await em.findOne(EmailVerification, { userId: address.userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (earlier === null) em.persist(em.create(EmailVerification, { ...address, issue: 1, expiresAt }));
  else em.assign(earlier, { ...address, issue: earlier.issue + 1, expiresAt, usedAt: null });
}
