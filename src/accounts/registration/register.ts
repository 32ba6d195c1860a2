import type { EntityManager } from '@mikro-orm/postgresql';
import { enqueueTask, inTransaction, type TaskPayload } from '../../database/index.js';
import { FieldErrorCollector, NotFoundError } from '../../errors/index.js';
import type { AccountsDeps } from '../deps.js';
import { startEmailVerification } from '../email/email-verification.js';
import {
  findEarlierResult,
  lockIdempotencyKey,
  saveIdempotentResult,
  type IdempotentOperation,
} from '../idempotency/idempotency.js';
import type { FollowUpView, ViewerView } from '../identity/account-loaders.js';
import type { ClientInfo } from '../identity/client-info.js';
import { insertAccount } from '../identity/locked-account.js';
import { newId } from '../identity/new-id.js';
import { toFollowUpView, toViewerView } from '../identity/view-mappers.js';
import { emailKey, validateEmail } from '../input/email.js';
import { normalizeText, validateDisplayName } from '../input/text-validation.js';
import { usernameKey, validateUsername } from '../input/username.js';
import { normalizePassword, validatePassword } from '../passwords/password-policy.js';
import { toClientNetwork } from '../rate-limiting/client-network.js';
import { verifyLinkSecret, type LinkSecretClaims } from '../secrets/link-secret.js';
import { repeatRegistration } from './repeat-registration.js';

export interface RegisterParams {
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
  readonly displayName: string | null;
  /** The secret of an invitation that the account is to claim; null for none. */
  readonly invitation: string | null;
}

export interface RegisterResult {
  readonly user: ViewerView;
  readonly followUps: readonly FollowUpView[];
}

/**
 * Creates an account and, in the same transaction, queues what its registration owes (specification, section 4).
 *
 * An address that somebody else has verified is accepted without a word: only proving it will fail, so that
 * registering tells nothing about other people's addresses.
 *
 * The same request under the same Idempotency-Key gives the same account again, with its follow-ups as they were queued. Its
 * password is verified as at a login.
 *
 * @throws InvalidInputError naming every faulty field; a fault of the password alone has its own reason;
 *   `IDEMPOTENCY_KEY_REUSED` when the key stands for another request, or another password
 * @throws NotFoundError `INVITATION_NOT_FOUND` when the invitation cannot be claimed; nothing is registered then
 * @throws ConflictError `USERNAME_TAKEN`; `REQUEST_IN_PROGRESS` while the same request is under way
 * @throws RateLimitedError when too many registrations came from the client's network, whatever came of them; when too many
 *   repetitions, or logins, had a wrong password
 * @throws UnavailableError `OVERLOADED` when too many passwords wait to be hashed
 */
export async function register(
  deps: AccountsDeps,
  registration: RegisterParams,
  client: ClientInfo,
  sent: IdempotentOperation | null = null,
): Promise<RegisterResult> {
  const { password, ...input } = registration;
  const repeatable = sent === null ? null : { ...sent, input };
  const earlier = repeatable === null ? null : await findEarlierResult(deps, repeatable);
  if (earlier !== null) return repeatRegistration(deps, registration, earlier, client);
  checkRegistration(deps, registration);
  await deps.limits.take('register', toClientNetwork(client.address));
  const invitation = await requireInvitation(deps, registration.invitation);
  const passwordHash = await deps.hasher.hash(normalizePassword(password));
  const registered = await inTransaction(deps.database, async (em) => {
    await lockIdempotencyKey(em, deps, repeatable);
    const stored = await store(em, deps, { registration, passwordHash, invitation });
    await saveIdempotentResult(em, deps, repeatable, { made: { userId: stored.user.id }, accountId: stored.user.id });
    return stored;
  });
  deps.dispatchTasks(registered.followUps.map(({ id }) => id));
  return registered;
}

function checkRegistration(deps: AccountsDeps, { username, password, email, displayName }: RegisterParams): void {
  new FieldErrorCollector()
    .check('username', validateUsername(username))
    .check('email', email === null ? null : validateEmail(email))
    .check('displayName', displayName === null ? null : validateDisplayName(displayName))
    .add(validatePassword(password, { field: 'password', minLength: deps.passwordMinLength, username, email }))
    .throwIfAny();
}

async function requireInvitation(deps: AccountsDeps, secret: string | null): Promise<LinkSecretClaims | null> {
  if (secret === null) return null;
  const invitation = verifyLinkSecret(deps.serverSecret, 'invitation', secret);
  if (invitation === null || !(await deps.isOpenInvitation(invitation)))
    throw new NotFoundError('INVITATION_NOT_FOUND');
  return invitation;
}

interface ReadyRegistration {
  readonly registration: RegisterParams;
  readonly passwordHash: string;
  readonly invitation: LinkSecretClaims | null;
}

async function store(
  em: EntityManager,
  deps: AccountsDeps,
  { registration, passwordHash, invitation }: ReadyRegistration,
): Promise<RegisterResult> {
  const now = deps.clock.now();
  const email = registration.email === null ? null : normalizeText(registration.email);
  // Inserted at once: what follows refers to it, and a taken name ends the work here.
  const account = await insertAccount(em, {
    id: newId(),
    username: normalizeText(registration.username),
    usernameKey: usernameKey(registration.username),
    email,
    emailKey: email === null ? null : emailKey(email),
    displayName: registration.displayName === null ? null : normalizeText(registration.displayName),
    passwordHash,
    createdAt: now,
  });
  if (account.email !== null && account.emailKey !== null) {
    await startEmailVerification(em, account, account.email, now);
  }
  const tasks = deps.followUpNames.map((name) =>
    enqueueTask(em, { name, payload: payloadOf(account.id, invitation), registeredUserId: account.id }, now),
  );
  return { user: toViewerView(account), followUps: tasks.map((task) => toFollowUpView(task, account.id)) };
}

/** Ids only: the secret can be derived again, and is kept nowhere. */
function payloadOf(userId: string, invitation: LinkSecretClaims | null): TaskPayload {
  return invitation === null ? { userId } : { userId, invitationId: invitation.id, issue: invitation.issue };
}
