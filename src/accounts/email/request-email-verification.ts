import { enqueue, inTransaction, statement } from '../../database/index.js';
import { type Actor, requireUser } from '../actor.js';
import type { AccountsDeps } from '../deps.js';
import { getViewer } from '../get-viewer.js';
import { type AddressToVerify, askForProof, VERIFY_EMAIL_TASK } from './email-verification.js';

/** The address that was asked to be proven last and is not, or else the account's own if it is not proven. */
const ADDRESS_TO_PROVE = statement<AddressToVerify>('address_to_prove', `
  select account.id as "userId", coalesce(asked.email, account.email) as email, coalesce(asked.email_key, account.email_key) as "emailKey"
  from account left join email_verification asked on asked.user_id = account.id and used_at is null
  where account.id = $1 and (asked.email is not null or account.email is not null and email_verified_at is null)`);

/**
 * Mails a new verification link to the caller's address, or to the one that is to replace it; earlier links stop working.
 *
 * @returns whether a mail is on its way: not without an address, nor when it is verified already
 * @throws UnauthenticatedError
 * @throws RateLimitedError after too many mails to the address
 */
export async function requestEmailVerification(deps: AccountsDeps, actor: Actor): Promise<{ sent: boolean }> {
  const { id } = await getViewer(deps, requireUser(actor));
  const [address] = await deps.database.read(ADDRESS_TO_PROVE, [id]);
  if (address === undefined) return { sent: false };
  await deps.limits.take('verificationMail', address.emailKey);
  const task = await inTransaction(deps.database, async (em) => {
    const now = deps.clock.now();
    await askForProof(em, address, now);
    return enqueue(em, { name: VERIFY_EMAIL_TASK, payload: { userId: id } }, now);
  });
  deps.wake([task.id]);
  return { sent: true };
}
