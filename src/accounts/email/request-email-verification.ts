import type { EntityManager } from '@mikro-orm/postgresql';
import { enqueueTask, inTransaction } from '../../database/index.js';
import type { AccountsDeps } from '../deps.js';
import { requireUser, type Actor } from '../identity/actor.js';
import { getViewer } from '../identity/get-viewer.js';
import { requireLockedAccount, type LockedAccount } from '../identity/locked-account.js';
import { emailKey } from '../input/email.js';
import { findEmailVerification, startEmailVerification, VERIFY_EMAIL_TASK } from './email-verification.js';

/** An address that was replaced while its mails were counted is counted anew, so often. */
const MOST_TRIES = 3;

/**
 * Mails a new verification link to the caller's address, or to the one that is to replace it; earlier links stop working.
 *
 * @returns whether a mail is on its way: not without an address, nor when it is verified already
 * @throws UnauthenticatedError
 * @throws RateLimitedError after too many mails to the address
 */
export async function requestEmailVerification(deps: AccountsDeps, actor: Actor): Promise<{ sent: boolean }> {
  const { id: userId } = await getViewer(deps, requireUser(actor));
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const email = await inTransaction(deps.database, (em) => findEmailToProve(em, userId));
    if (email === null) return { sent: false };
    // Between two transactions, since the limiter takes a connection of its own.
    await deps.limits.take('verificationMail', emailKey(email));
    const taskId = await inTransaction(deps.database, (em) => askAgain(em, deps, { userId, email }));
    if (taskId === null) continue;
    deps.dispatchTasks([taskId]);
    return { sent: true };
  }
  return { sent: false };
}

/** @returns the task that mails the link; null when another address is to be proven by now, or none */
async function askAgain(
  em: EntityManager,
  { clock }: Pick<AccountsDeps, 'clock'>,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<string | null> {
  const account = await requireLockedAccount(em, userId);
  if ((await emailToProve(em, account)) !== email) return null;
  const now = clock.now();
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
