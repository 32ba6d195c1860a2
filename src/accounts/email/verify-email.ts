import type { EntityManager } from '@mikro-orm/postgresql';
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

/** Each round commits the invitations of up to 100 groups, so this bounds a runaway loop only. */
const MAX_ROUNDS = 1_000;

interface Proven {
  readonly user: ViewerView;
  readonly enqueuedTaskIds: readonly string[];
}

/**
 * Marks the address as its account's own, with the secret from the mailed link. The secret works once. A proven address that
 * it takes the place of is told.
 *
 * A group that has the account as a member uses up its invitation to the address, so that one person does not count twice. A
 * transaction takes 100 such groups at most, and the address becomes verified in the last one: a group never has
 * an unanswered invitation to the verified address of a member, and a process that ends before leaves the secret usable.
 *
 * @throws InvalidInputError `SECRET_INVALID` when it was used, replaced, made up or has expired
 * @throws ConflictError `EMAIL_TAKEN` when another account has verified the address since
 * @throws UnavailableError `OVERLOADED` when invitations keep coming
 */
export async function verifyEmail(deps: VerifyEmailDeps, secret: string): Promise<ViewerView> {
  const named = verifyLinkSecret(deps.serverSecret, 'verify-email', secret);
  if (named === null) throw invalidSecret();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const emailKey = await findAskedAddress(deps.database, named.id);
    const address = { userId: named.id, emailKey };
    const proven = await deps.withInvitedMemberships(address, (em, memberships) =>
      prove(em, memberships, { ...named, emailKey, clock: deps.clock }),
    );
    if (proven === null) continue;
    deps.dispatchTasks(proven.enqueuedTaskIds);
    return proven.user;
  }
  throw new UnavailableError('OVERLOADED');
}

interface Proof extends LinkSecretClaims {
  /** The address that the account was asked to prove when the groups were locked. */
  readonly emailKey: string;
  readonly clock: Clock;
}

/** @returns null when invitations are left for another transaction */
async function prove(
  em: EntityManager,
  memberships: InvitedMemberships,
  { id, issue, emailKey, clock }: Proof,
): Promise<Proven | null> {
  const account = await lockAccount(em, id, 'exclusive');
  if (account === null) throw invalidSecret();
  const now = clock.now();
  const verification = await findEmailVerification(em, account);
  if (verification === null || !isOpen(verification, issue, now)) throw invalidSecret();
  // Another address was asked for between the two reads.
  if (verification.emailKey !== emailKey) return null;
  const isComplete = await memberships.lockAddress();
  if (account.emailKey !== emailKey || account.emailVerifiedAt === null) await requireFreeAddress(em, emailKey);
  await memberships.consume();
  return isComplete ? verify(em, account, verification, now) : null;
}

const ASKED_ADDRESS = statement<{ emailKey: string }>(
  'asked_address',
  `
  select email_key as "emailKey" from email_verification where user_id = $1`,
);

/**
 * Read without a lock, to know which groups to lock.
 *
 * @throws InvalidInputError `SECRET_INVALID` when no address was asked for
 */
async function findAskedAddress(database: Database, userId: string): Promise<string> {
  const [asked] = await database.query(ASKED_ADDRESS, [userId]);
  if (asked === undefined) throw invalidSecret();
  return asked.emailKey;
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
): Promise<Proven> {
  const { id } = account;
  const { email, emailKey } = verification;
  const enqueuedTaskIds =
    emailKey === account.emailKey ? [] : await enqueueSecurityNotice(em, account, 'notify_email_replaced', now);
  verification.usedAt = now;
  Object.assign(account, { email, emailKey, emailVerifiedAt: now } satisfies Partial<LockedAccount>);
  recordSelfAuditEvent(em, 'email.verified', id, now);
  return { user: toViewerView(account), enqueuedTaskIds };
}

function isOpen(verification: EmailVerification, issue: number, now: Date): boolean {
  return verification.issue === issue && verification.usedAt === null && verification.expiresAt > now;
}

function invalidSecret(): InvalidInputError {
  return new InvalidInputError(
    [{ field: 'secret', message: 'must be the latest one that was mailed, unused and not expired' }],
    'SECRET_INVALID',
  );
}
