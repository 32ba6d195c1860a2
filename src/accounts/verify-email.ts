import { LockMode } from '@mikro-orm/core';
import { inTransaction } from '../database/index.js';
import { InvalidInputError } from '../errors/index.js';
import type { ViewerView } from './account-reads.js';
import { Account } from './account.entity.js';
import { recordOwnAudit } from './audit/record-audit.js';
import type { AccountsDeps } from './deps.js';
import { readLinkSecret } from './derived-secret.js';
import { EmailVerification } from './email-verification.entity.js';
import { viewerView } from './views.js';

/**
 * Marks the address as its account's own, with the secret from the mailed link. The secret works once.
 *
 * @throws InvalidInputError `SECRET_INVALID` when it was used, replaced, made up or has expired
 * @throws ConflictError `EMAIL_TAKEN` when another account has verified the address since
 */
export async function verifyEmail(
  deps: Pick<AccountsDeps, 'database' | 'clock' | 'serverSecret'>,
  secret: string,
): Promise<ViewerView> {
  const named = readLinkSecret(deps.serverSecret, 'verify-email', secret);
  if (named === null) throw invalidSecret();
  return inTransaction(deps.database, async (em) => {
    const now = deps.clock.now();
    const verification = await em.findOne(EmailVerification, { userId: named.id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const account = await em.findOne(Account, named.id);
    if (account === null || verification === null || !isOpen(verification, named.issue, now)) throw invalidSecret();
    verification.usedAt = now;
    em.assign(account, { email: verification.email, emailKey: verification.emailKey, emailVerifiedAt: now });
    recordOwnAudit(em, 'email.verified', account.id, now);
    return viewerView(account);
  });
}

function isOpen(verification: EmailVerification, issue: number, now: Date): boolean {
  return verification.issue === issue && verification.usedAt === null && verification.expiresAt > now;
}

function invalidSecret(): InvalidInputError {
  return new InvalidInputError([{ field: 'secret', message: 'must be the latest one that was mailed, unused and not expired' }], 'SECRET_INVALID');
}
