import type { EntityManager } from '@mikro-orm/postgresql';
import { retryWhileNull } from '../../async/retry.js';
import { enqueueTask, inTransaction, type Database } from '../../database/index.js';
import { requireUser, type Actor } from '../identity/actor.js';
import { getViewer, type GetViewerDeps } from '../identity/get-viewer.js';
import { requireLockedAccount, type LockedAccount } from '../identity/locked-account.js';
import { emailKey } from '../input/email.js';
import {
  findEmailVerification,
  startEmailVerification,
  VERIFY_EMAIL_TASK,
} from '../mailed-links/email-verification.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import type { RateLimiter } from '../rate-limiting/rate-limiter.js';

export interface RequestEmailVerificationDeps extends GetViewerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: RateLimiter;
  readonly dispatchTasks: DispatchTasks;
}

/** When the address is replaced while its mails are counted, the count is repeated for the new address. */
const MAX_ATTEMPTS = 3;

/**
 * Mails a new verification link to the caller's address, or to the address that is to replace it. Invalidates earlier
 * links.
 *
 * @returns whether a mail was enqueued: false without an address, or when it is verified
 * @throws UnauthenticatedError
 * @throws RateLimitedError after too many mails to the address
 */
export async function requestEmailVerification(
  deps: RequestEmailVerificationDeps,
  actor: Actor,
): Promise<{ sent: boolean }> {
  const { id: userId } = await getViewer(deps, requireUser(actor));
  return (await retryWhileNull(MAX_ATTEMPTS, () => tryToMail(deps, userId))) ?? { sent: false };
}

/** @returns null when the address was replaced while its mails were counted */
async function tryToMail(deps: RequestEmailVerificationDeps, userId: string): Promise<{ sent: boolean } | null> {
  const email = await inTransaction(deps.database, (em) => findEmailToVerify(em, userId));
  if (email === null) return { sent: false };
  // Between two transactions, because the limiter takes a connection of its own.
  await deps.limits.take('verificationMail', emailKey(email));
  const taskId = await inTransaction(deps.database, (em) =>
    restartVerification(em, { userId, email }, deps.clock.now()),
  );
  if (taskId === null) return null;
  deps.dispatchTasks([taskId]);
  return { sent: true };
}

/** @returns the id of the task that mails the link; null when another address, or none, is to be verified by now */
async function restartVerification(
  em: EntityManager,
  { userId, email }: { readonly userId: string; readonly email: string },
  now: Date,
): Promise<string | null> {
  const account = await requireLockedAccount(em, userId);
  if ((await emailToVerify(em, account)) !== email) return null;
  await startEmailVerification(em, account, email, now);
  return enqueueTask(em, { name: VERIFY_EMAIL_TASK, payload: { userId } }, now).id;
}

async function findEmailToVerify(em: EntityManager, userId: string): Promise<string | null> {
  return emailToVerify(em, await requireLockedAccount(em, userId));
}

/** The address of the open verification, or else the account's own unless it is verified. */
async function emailToVerify(em: EntityManager, account: LockedAccount): Promise<string | null> {
  const verification = await findEmailVerification(em, account);
  if (verification?.usedAt === null) return verification.email;
  return account.emailVerifiedAt === null ? account.email : null;
}
