import { enqueue, inTransaction } from '../database/index.js';
import { UnauthenticatedError } from '../errors/index.js';
import { Account } from './account.entity.js';
import { type Actor, requireUser } from './actor.js';
import type { AccountsDeps } from './deps.js';
import { askForProof, VERIFY_EMAIL_TASK } from './email-verification.js';

/**
 * Mails a new verification link to the caller's address; earlier links stop working.
 *
 * @returns whether a mail is on its way: not without an address, nor when it is verified already
 * @throws UnauthenticatedError
 */
export async function requestEmailVerification(deps: AccountsDeps, actor: Actor): Promise<{ sent: boolean }> {
  const { userId } = requireUser(actor);
  const task = await inTransaction(deps.database, async (em) => {
    const account = await em.findOne(Account, userId);
    if (account === null || account.disabledAt !== null) throw new UnauthenticatedError('TOKEN_REVOKED');
    if (account.email === null || account.emailKey === null || account.emailVerifiedAt !== null) return null;
    const now = deps.clock.now();
    await askForProof(em, { userId, email: account.email, emailKey: account.emailKey }, now);
    return enqueue(em, { name: VERIFY_EMAIL_TASK, payload: { userId } }, now);
  });
  if (task !== null) deps.wake([task.id]);
  return { sent: task !== null };
}
