import type { EntityManager } from '@mikro-orm/postgresql';
import { enqueue, inTransaction, type OutboxTask } from '../database/index.js';
import { InvalidFields } from '../errors/index.js';
import type { FollowUpView, ViewerView } from './account-reads.js';
import { Account } from './account.entity.js';
import type { AccountsDeps } from './deps.js';
import { askForProof } from './email-verification.js';
import { emailKey, emailProblem } from './email.js';
import { newId } from './new-id.js';
import { passwordRefusal, passwordToVerify } from './password-policy.js';
import { displayNameProblem, normalizeText } from './text.js';
import { usernameKey, usernameProblem } from './username.js';
import { followUpView, viewerView } from './views.js';

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email: string | null;
  readonly displayName: string | null;
}

export interface Registered {
  readonly user: ViewerView;
  readonly followUps: readonly FollowUpView[];
}

/**
 * Creates an account and, in the same transaction, queues what its registration owes (specification, section 4).
 *
 * An address that somebody else has verified is accepted without a word: only proving it will fail, so that
 * registering tells nothing about other people's addresses.
 *
 * @throws InvalidInputError naming every faulty field; a fault of the password alone has its own reason
 * @throws ConflictError `USERNAME_TAKEN`
 * @throws UnavailableError `OVERLOADED` when too many passwords wait to be hashed
 */
export async function register(deps: AccountsDeps, registration: Registration): Promise<Registered> {
  checkRegistration(deps, registration);
  const passwordHash = await deps.hasher.hash(passwordToVerify(registration.password));
  const { account, tasks } = await inTransaction(deps.database, (em) => store(em, deps, registration, passwordHash));
  deps.wake(tasks.map(({ id }) => id));
  return { user: viewerView(account), followUps: tasks.map((task) => followUpView(task, account.id)) };
}

function checkRegistration(deps: AccountsDeps, { username, password, email, displayName }: Registration): void {
  new InvalidFields()
    .check('username', usernameProblem(username))
    .check('email', email === null ? null : emailProblem(email))
    .check('displayName', displayName === null ? null : displayNameProblem(displayName))
    .add(passwordRefusal(password, { field: 'password', minLength: deps.passwordMinLength, username, email }))
    .throwIfAny();
}

async function store(
  em: EntityManager,
  deps: AccountsDeps,
  registration: Registration,
  passwordHash: string,
): Promise<{ account: Account; tasks: OutboxTask[] }> {
  const now = deps.clock.now();
  const email = registration.email === null ? null : normalizeText(registration.email);
  const account = em.create(Account, {
    id: newId(),
    username: normalizeText(registration.username),
    usernameKey: usernameKey(registration.username),
    email,
    emailKey: email === null ? null : emailKey(email),
    displayName: registration.displayName === null ? null : normalizeText(registration.displayName),
    passwordHash,
    createdAt: now,
  });
  // Inserted at once: what follows refers to it, and a taken name ends the work here.
  await em.persist(account).flush();
  if (account.email !== null && account.emailKey !== null) {
    await askForProof(em, { userId: account.id, email: account.email, emailKey: account.emailKey }, now);
  }
  const tasks = deps.followUpNames.map((name) =>
    enqueue(em, { name, payload: { userId: account.id }, registeredUserId: account.id }, now),
  );
  return { account, tasks };
}
