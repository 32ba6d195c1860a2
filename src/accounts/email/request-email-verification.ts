import type { EntityManager } from '@mikro-orm/postgresql';
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

/** An address that was replaced while its mails were counted is counted anew, so often. */
const MOST_TRIES = 3;

/**
 * Mails a new verification link to the caller's address, or to the one that is to replace it; earlier links stop working.
 *
 * @returns whether a mail is on its way: not without an address, nor when it is verified already
 * @throws UnauthenticatedError
 * @throws RateLimitedError after too many mails to the address
 */
export async function requestEmailVerification(
  deps: RequestEmailVerificationDeps,
  actor: Actor,
): Promise<{ sent: boolean }> {
  const { id: userId } = await getViewer(deps, requireUser(actor));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const email = await inTransaction(deps.database, (em) => findEmailToProve(em, userId));
    if (email === null) return { sent: false };
    // Between two transactions, since the limiter takes a connection of its own.
    await deps.limits.take('verificationMail', emailKey(email));
    const taskId = await inTransaction(deps.database, (em) => askAgain(em, { userId, email }, deps.clock.now()));
    if (taskId === null) continue;
    deps.dispatchTasks([taskId]);
    return { sent: true };
  }
  return { sent: false };
}

/** @returns the task that mails the link; null when another address is to be proven by now, or none */
async function askAgain(
  em: EntityManager,
  { userId, email }: { readonly userId: string; readonly email: string },
  now: Date,
): Promise<string | null> {
  const account = await requireLockedAccount(em, userId);
  if ((await emailToProve(em, account)) !== email) return null;
  await startEmailVerification(em, account, email, now);
  return enqueueTask(em, { name: VERIFY_EMAIL_TASK, payload: { userId } }, now).id;
}

async function findEmailToProve(em: EntityManager, userId: string): Promise<string | null> {
  return emailToProve(em, await requireLockedAccount(em, userId));
}

/** The address that was asked to be proven last and is not, or else the account's own if it is not proven. */
async function emailToProve(em: EntityManager, account: LockedAccount): Promise<string | null> {
  const asked = await findEmailVerification(em, account);
  if (asked?.usedAt === null) return asked.email;
  return account.emailVerifiedAt === null ? account.email : null;
}
