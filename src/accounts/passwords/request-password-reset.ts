import { MINUTE_MS } from '../../async/durations.js';
import { enqueueTask, inTransaction, type Database } from '../../database/index.js';
import { FieldErrorCollector } from '../../errors/index.js';
import { newId } from '../identity/new-id.js';
import { emailKey, validateEmail } from '../input/email.js';
import { PasswordReset } from '../mailed-links/password-reset.entity.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import { toClientNetwork } from '../rate-limiting/client-network.js';
import type { RateLimiter } from '../rate-limiting/rate-limiter.js';

export interface RequestPasswordResetDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: RateLimiter;
  readonly dispatchTasks: DispatchTasks;
}

/** How long a mailed reset link is valid, from the request on. */
export const RESET_LINK_TTL_MINUTES = 30;

/** The task that looks up the account and mails the link if there is one. */
export const RESET_PASSWORD_TASK = 'reset_password';

/**
 * Requests a link that resets the password of the account with this verified address.
 *
 * Does not read accounts, so neither the response nor its time reveals whether one exists. Earlier links stay valid, so
 * that a request by another person does not invalidate them.
 *
 * @throws InvalidInputError for an invalid address
 * @throws RateLimitedError after too many requests from the client's network or for the address
 */
export async function requestPasswordReset(
  deps: RequestPasswordResetDeps,
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
