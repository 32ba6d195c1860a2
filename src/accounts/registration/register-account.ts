import type { TaskPayload } from '../../database/index.js';
import { FieldErrorCollector } from '../../errors/index.js';
import { throwKeyConflict, toKeyClaim } from '../idempotency/claim-idempotency-key.js';
import { findEarlierResult } from '../idempotency/find-idempotent-result.js';
import type { IdempotentOperation } from '../idempotency/idempotent-operation.js';
import { newId } from '../identity/new-id.js';
import { emailKey, validateEmail } from '../input/email.js';
import { normalizeText, validateDisplayName } from '../input/text-validation.js';
import { usernameKey, validateUsername } from '../input/username.js';
import type { ConfirmPasswordDeps } from '../passwords/confirm-password.js';
import { normalizePassword, validatePassword } from '../passwords/password-policy.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { Clock } from '../ports/clock.js';
import type { DispatchTasks } from '../ports/dispatch-tasks.js';
import { toClientNetwork } from '../rate-limiting/client-network.js';
import type { RegisterResult } from './register-result.js';
import { repeatRegistration } from './repeat-registration.js';
import { storeRegistration, type StoredRegistration } from './store-registration.js';

export interface RegisterAccountDeps extends ConfirmPasswordDeps {
  readonly clock: Clock;
  readonly passwordMinLength: number;
  /** Names of the tasks that every registration enqueues, in the order in which they are shown. */
  readonly followUpNames: readonly string[];
  readonly dispatchTasks: DispatchTasks;
}

export interface RegisterAccountParams {
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
  readonly displayName: string | null;
}

export interface RegisterAccountOptions {
  /** The request under its Idempotency-Key, the password left out of its input; null without a key. */
  readonly operation?: IdempotentOperation | null;
  /**
   * Called after the rate limit and before the password is hashed. Returns what the payload of each follow-up task
   * holds beside the account's id. An error rejects the registration.
   */
  readonly getTaskPayload?: () => Promise<TaskPayload>;
}

/**
 * Creates an account and enqueues its follow-up tasks by one statement (specification, section 4).
 *
 * An address that another account has verified is accepted: only its verification fails, so that a registration reveals
 * nothing about the addresses of others. The same request under the same Idempotency-Key returns the same account, with
 * its follow-ups as they were enqueued; its password is verified as at a login.
 *
 * @throws InvalidInputError naming every invalid field; a password has reasons of its own when no other field is
 *   invalid; `IDEMPOTENCY_KEY_REUSED` when the key belongs to another request or another password
 * @throws ConflictError `USERNAME_TAKEN`; `REQUEST_IN_PROGRESS` while the same request is in flight
 * @throws RateLimitedError after too many registrations from the client's network, failed ones included; after too many
 *   repetitions or logins with a wrong password
 * @throws UnavailableError `OVERLOADED` when too many passwords are queued for hashing
 */
export async function registerAccount(
  deps: RegisterAccountDeps,
  registration: RegisterAccountParams,
  client: ClientInfo,
  { operation = null, getTaskPayload = () => Promise.resolve({}) }: RegisterAccountOptions = {},
): Promise<RegisterResult> {
  const earlier = operation === null ? null : await findEarlierResult(deps, operation);
  if (earlier !== null) return repeatRegistration(deps, registration, earlier, client);
  validateRegistration(deps.passwordMinLength, registration);
  await deps.limits.take('register', toClientNetwork(client.address));
  const taskPayload = await getTaskPayload();
  const passwordHash = await deps.hasher.hash(normalizePassword(registration.password));
  const stored = toStoredRegistration(deps, { registration, passwordHash, taskPayload });
  const accountId = stored.account.id;
  const keyClaim = toKeyClaim(deps, operation, { storedResult: { userId: accountId }, accountId });
  const registered =
    (await storeRegistration(deps.database, stored, keyClaim)) ?? (await throwKeyConflict(deps, operation));
  deps.dispatchTasks(registered.followUps.map(({ id }) => id));
  return registered;
}

function validateRegistration(
  minLength: number,
  { username, password, email, displayName }: RegisterAccountParams,
): void {
  new FieldErrorCollector()
    .check('username', validateUsername(username))
    .check('email', email === null ? null : validateEmail(email))
    .check('displayName', displayName === null ? null : validateDisplayName(displayName))
    .add(validatePassword(password, { field: 'password', minLength, username, email }))
    .throwIfAny();
}

interface AcceptedRegistration {
  readonly registration: RegisterAccountParams;
  readonly passwordHash: string;
  readonly taskPayload: TaskPayload;
}

function toStoredRegistration(
  { clock, followUpNames }: RegisterAccountDeps,
  { registration, passwordHash, taskPayload }: AcceptedRegistration,
): StoredRegistration {
  const { username, email, displayName } = registration;
  const userId = newId();
  return {
    account: {
      id: userId,
      username: normalizeText(username),
      usernameKey: usernameKey(username),
      email: email === null ? null : normalizeText(email),
      emailKey: email === null ? null : emailKey(email),
      displayName: displayName === null ? null : normalizeText(displayName),
      passwordHash,
      createdAt: clock.now(),
    },
    followUps: followUpNames.map((name) => ({ id: newId(), name, payload: { userId, ...taskPayload } })),
  };
}
