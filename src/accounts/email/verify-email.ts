import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction } from '../../database/index.js';
import { InvalidInputError } from '../../errors/index.js';
import type { ViewerView } from '../account-reads.js';
import { recordOwnAudit } from '../audit/record-audit.js';
import type { AccountsDeps } from '../deps.js';
import { type LinkedRow, readLinkSecret } from '../derived-secret.js';
import { type LockedAccount, lockAccount } from '../locked-account.js';
import { oweNotice } from '../notices/owe-notice.js';
import { viewerView } from '../views.js';
import type { EmailVerification } from './email-verification.entity.js';
import { findEmailVerification } from './email-verification.js';

/**
 * Marks the address as its account's own, with the secret from the mailed link. The secret works once. A proven address that
 * it takes the place of is told.
 *
 * @throws InvalidInputError `SECRET_INVALID` when it was used, replaced, made up or has expired
 * @throws ConflictError `EMAIL_TAKEN` when another account has verified the address since
 */
export async function verifyEmail(
  deps: Pick<AccountsDeps, 'database' | 'clock' | 'serverSecret' | 'wake'>,
  secret: string,
): Promise<ViewerView> {
  const named = readLinkSecret(deps.serverSecret, 'verify-email', secret);
  if (named === null) throw invalidSecret();
  const { user, owed } = await inTransaction(deps.database, (em) => prove(em, named, deps.clock.now()));
  deps.wake(owed);
  return user;
}

/** The account is locked first, as by everybody who changes it. */
async function prove(em: EntityManager, { id, issue }: LinkedRow, now: Date): Promise<{ user: ViewerView; owed: readonly string[] }> {
  const account = await lockAccount(em, id);
  if (account === null) throw invalidSecret();
  const verification = await findEmailVerification(em, account);
  if (verification === null || !isOpen(verification, issue, now)) throw invalidSecret();
  const { email, emailKey } = verification;
  const owed = emailKey === account.emailKey ? [] : await oweNotice(em, account, 'notify_email_replaced', now);
  verification.usedAt = now;
  Object.assign(account, { email, emailKey, emailVerifiedAt: now } satisfies Partial<LockedAccount>);
  recordOwnAudit(em, 'email.verified', id, now);
  return { user: viewerView(account), owed };
}

function isOpen(verification: EmailVerification, issue: number, now: Date): boolean {
  return verification.issue === issue && verification.usedAt === null && verification.expiresAt > now;
}

function invalidSecret(): InvalidInputError {
  return new InvalidInputError([{ field: 'secret', message: 'must be the latest one that was mailed, unused and not expired' }], 'SECRET_INVALID');
}
