import { MINUTE_MS } from '../../async/durations.js';
import { enqueueTask, inTransaction } from '../../database/index.js';
import { FieldErrorCollector } from '../../errors/index.js';
import type { AccountsDeps } from '../deps.js';
import type { ClientInfo } from '../identity/client-info.js';
import { newId } from '../identity/new-id.js';
import { emailKey, validateEmail } from '../input/email.js';
import { toClientNetwork } from '../rate-limiting/client-network.js';
import { PasswordReset } from './password-reset.entity.js';

/** How long a mailed reset link works, from when it was asked for. */
export const RESET_LINK_TTL_MINUTES = 30;

/** The task that looks whose address it is, and mails the link if it is somebody's. */
export const RESET_PASSWORD_TASK = 'reset_password';

/**
 * Asks for a link that resets the password of whoever has verified the address.
 *
 * The accounts are not looked at: neither the answer nor the time that it takes can tell whether there is one. Links
 * asked for before go on working, so that nobody can spoil another's by asking again.
 *
 * @throws InvalidInputError when it is no address
 * @throws RateLimitedError for too many requests from the client's network, or for the address
 */
export async function requestPasswordReset(
  deps: Pick<AccountsDeps, 'database' | 'clock' | 'limits' | 'dispatchTasks'>,
  email: string,
  client: ClientInfo,
): Promise<{ accepted: true }> {
  new FieldErrorCollector().check('email', validateEmail(email)).throwIfAny();
  const key = emailKey(email);
  await deps.limits.take('resetAddress', toClientNetwork(client.address));
  await deps.limits.take('resetMail', key);
  const now = deps.clock.now();
  const task = await inTransaction(deps.database, async (em) => {
    const reset = em.create(PasswordReset, {
      id: newId(),
      emailKey: key,
      expiresAt: new Date(now.getTime() + RESET_LINK_TTL_MINUTES * MINUTE_MS),
    });
    em.persist(reset);
    return enqueueTask(em, { name: RESET_PASSWORD_TASK, payload: { resetId: reset.id } }, now);
  });
  deps.dispatchTasks([task.id]);
  return { accepted: true };
}
