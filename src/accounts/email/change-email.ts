import type { EntityManager } from '@mikro-orm/postgresql';
import { enqueueTask, inTransaction } from '../../database/index.js';
import { UnauthenticatedError } from '../../errors/index.js';
import { recordSelfAuditEvent } from '../audit/record-audit-event.js';
import { clearEmail } from '../identity/account-email.js';
import type { ViewerView } from '../identity/account-loaders.js';
import type { LockedAccount } from '../identity/locked-account.js';
import { emailKey } from '../input/email.js';
import { normalizeText } from '../input/text-validation.js';
import {
  cancelEmailVerification,
  startEmailVerification,
  VERIFY_EMAIL_TASK,
} from '../mailed-links/email-verification.js';
import {
  confirmPassword,
  lockConfirmedAccount,
  type ConfirmPasswordDeps,
  type PasswordConfirmation,
} from '../passwords/confirm-password.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import { enqueueSecurityNotice } from '../security-notices/enqueue-security-notice.js';

export interface ChangeEmailDeps extends ConfirmPasswordDeps {
  readonly clock: Clock;
  readonly dispatchTasks: DispatchTasks;
}

/**
 * Starts to replace the email address of a signed-in user, or removes it when the new one is null.
 *
 * The old address stays until the new one is verified. An address that another account has verified is accepted: only
 * its verification fails. An account without an address shows the new one immediately, unverified. Removing a verified
 * address sends a notice to it.
 *
 * @throws UnauthenticatedError `WRONG_CREDENTIALS`
 * @throws RateLimitedError after too many wrong passwords, or too many mails to the address
 */
export async function changeEmail(
  deps: ChangeEmailDeps,
  viewer: ViewerView,
  email: string | null,
  proof: PasswordConfirmation,
): Promise<void> {
  const change = { viewer, email, proof };
  if (!(await tryToChangeEmail(deps, change)) && !(await tryToChangeEmail(deps, change)))
    throw new UnauthenticatedError('WRONG_CREDENTIALS');
}

interface EmailChange {
  readonly viewer: ViewerView;
  readonly email: string | null;
  readonly proof: PasswordConfirmation;
}

/** @returns false when the password was replaced concurrently */
async function tryToChangeEmail(deps: ChangeEmailDeps, { viewer, email, proof }: EmailChange): Promise<boolean> {
  const confirmedHash = await confirmPassword(deps, viewer, proof);
  if (email !== null) await deps.limits.take('verificationMail', emailKey(email));
  const enqueuedTaskIds = await inTransaction(deps.database, async (em) => {
    const account = await lockConfirmedAccount(em, viewer.id, confirmedHash);
    if (account === null) return null;
    const now = deps.clock.now();
    recordSelfAuditEvent(em, email === null ? 'email.removed' : 'email.change-requested', account.id, now);
    return email === null ? removeEmail(em, account, now) : [await setEmail(em, account, normalizeText(email), now)];
  });
  deps.dispatchTasks(enqueuedTaskIds ?? []);
  return enqueuedTaskIds !== null;
}

/** @returns the ids of the enqueued tasks */
async function removeEmail(em: EntityManager, account: LockedAccount, now: Date): Promise<string[]> {
  const enqueuedTaskIds = await enqueueSecurityNotice(em, account, 'notify_email_removed', now);
  clearEmail(account);
  await cancelEmailVerification(em, account);
  return enqueuedTaskIds;
}

async function setEmail(em: EntityManager, account: LockedAccount, email: string, now: Date): Promise<string> {
  const given = { email, emailKey: emailKey(email) } satisfies Partial<LockedAccount>;
  if (account.email === null) Object.assign(account, given);
  await startEmailVerification(em, account, email, now);
  return enqueueTask(em, { name: VERIFY_EMAIL_TASK, payload: { userId: account.id } }, now).id;
}
