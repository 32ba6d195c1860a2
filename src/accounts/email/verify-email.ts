import type { EntityManager } from '@mikro-orm/postgresql';
import { retryWhileNull } from '../../async/retry.js';
import { statement, type Database } from '../../database/index.js';
import { ConflictError, InvalidInputError, UnavailableError } from '../../errors/index.js';
import { recordSelfAuditEvent } from '../audit/record-audit-event.js';
import type { ViewerView } from '../identity/account-loaders.js';
import { lockAccount, type LockedAccount } from '../identity/locked-account.js';
import { toViewerView } from '../identity/view-mappers.js';
import type { EmailVerification } from '../mailed-links/email-verification.entity.js';
import { findEmailVerification } from '../mailed-links/email-verification.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import { verifyLinkSecret, type LinkSecretClaims } from '../secrets/link-secret.js';
import type { ServerSecret } from '../secrets/server-secret.js';
import { enqueueSecurityNotice } from '../security-notices/enqueue-security-notice.js';
import type { InvitedMemberships, WithInvitedMemberships } from './invited-memberships.js';
import { isVerifiedAddress } from './verified-email.js';

export interface VerifyEmailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly serverSecret: ServerSecret;
  readonly withInvitedMemberships: WithInvitedMemberships;
  readonly dispatchTasks: DispatchTasks;
}

/** Each round commits the invitations of up to 100 groups, so this only bounds a runaway loop. */
const MAX_ROUNDS = 1_000;

interface VerifiedEmail {
  readonly user: ViewerView;
  readonly enqueuedTaskIds: readonly string[];
}

/**
 * Verifies an email address with the secret of the mailed link. The secret works once. A verified address that it
 * replaces gets a notice.
 *
 * In each group of the user, an invitation to the address is used up, so that one user does not count twice. One
 * transaction takes at most 100 such groups, and the last one verifies the address. So no group has an unanswered
 * invitation to the verified address of a member, and the secret stays usable when the process ends before.
 *
 * @throws InvalidInputError `SECRET_INVALID` when it was used, replaced, forged or has expired
 * @throws ConflictError `EMAIL_TAKEN` when another account has verified the address since
 * @throws UnavailableError `OVERLOADED` when new invitations keep arriving
 */
export async function verifyEmail(deps: VerifyEmailDeps, secret: string): Promise<ViewerView> {
  const claims = verifyLinkSecret(deps.serverSecret, 'verify-email', secret);
  if (claims === null) throw invalidSecret();
  const verified = await retryWhileNull(MAX_ROUNDS, async () => {
    const emailKey = await findAddressToVerify(deps.database, claims.id);
    const address = { userId: claims.id, emailKey };
    return deps.withInvitedMemberships(address, (em, memberships) =>
      prove(em, memberships, { ...claims, emailKey, clock: deps.clock }),
    );
  });
  if (verified === null) throw new UnavailableError('OVERLOADED');
  deps.dispatchTasks(verified.enqueuedTaskIds);
  return verified.user;
}

interface VerificationAttempt extends LinkSecretClaims {
  /** The address to verify when the groups were locked. */
  readonly emailKey: string;
  readonly clock: Clock;
}

/** @returns null when invitations remain for another transaction */
async function prove(
  em: EntityManager,
  memberships: InvitedMemberships,
  { id, version, emailKey, clock }: VerificationAttempt,
): Promise<VerifiedEmail | null> {
  const account = await lockAccount(em, id, 'exclusive');
  if (account === null) throw invalidSecret();
  const now = clock.now();
  const verification = await findEmailVerification(em, account);
  if (verification === null || !isOpen(verification, version, now)) throw invalidSecret();
  // Another verification was started between the two reads.
  if (verification.emailKey !== emailKey) return null;
  const isComplete = await memberships.lockAddress();
  if (account.emailKey !== emailKey || account.emailVerifiedAt === null) await requireFreeAddress(em, emailKey);
  await memberships.consume();
  return isComplete ? verify(em, account, verification, now) : null;
}

const ADDRESS_TO_VERIFY = statement<{ emailKey: string }>(
  'address_to_verify',
  `
  select email_key as "emailKey" from email_verification where user_id = $1`,
);

/**
 * Reads the address without a lock, to determine which groups to lock.
 *
 * @throws InvalidInputError `SECRET_INVALID` when no verification is stored
 */
async function findAddressToVerify(database: Database, userId: string): Promise<string> {
  const [verification] = await database.query(ADDRESS_TO_VERIFY, [userId]);
  if (verification === undefined) throw invalidSecret();
  return verification.emailKey;
}

/** @throws ConflictError `EMAIL_TAKEN` */
async function requireFreeAddress(em: EntityManager, emailKey: string): Promise<void> {
  if (await isVerifiedAddress(em, emailKey)) throw new ConflictError('EMAIL_TAKEN');
}

async function verify(
  em: EntityManager,
  account: LockedAccount,
  verification: EmailVerification,
  now: Date,
): Promise<VerifiedEmail> {
  const { id } = account;
  const { email, emailKey } = verification;
  const enqueuedTaskIds =
    emailKey === account.emailKey ? [] : await enqueueSecurityNotice(em, account, 'notify_email_replaced', now);
  verification.usedAt = now;
  Object.assign(account, { email, emailKey, emailVerifiedAt: now } satisfies Partial<LockedAccount>);
  recordSelfAuditEvent(em, 'email.verified', id, now);
  return { user: toViewerView(account), enqueuedTaskIds };
}

function isOpen(verification: EmailVerification, version: number, now: Date): boolean {
  return verification.version === version && verification.usedAt === null && verification.expiresAt > now;
}

function invalidSecret(): InvalidInputError {
  return new InvalidInputError(
    [{ field: 'secret', message: 'must be the latest one that was mailed, unused and not expired' }],
    'SECRET_INVALID',
  );
}
