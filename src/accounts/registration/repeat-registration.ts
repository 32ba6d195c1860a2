import type { EntityManager } from '@mikro-orm/postgresql';
import { OutboxTask } from '../../database/index.js';
import { ConflictError, DomainError, UnauthenticatedError } from '../../errors/index.js';
import { readResultId, reusedKeyError, type EarlierResult } from '../idempotency/idempotency.js';
import { Account } from '../identity/account.entity.js';
import { toFollowUpView, toViewerView } from '../identity/view-mappers.js';
import { findPasswordHolder, type ConfirmPasswordDeps } from '../passwords/confirm-password.js';
import { verifyPassword, type StoredCredential } from '../passwords/verify-password.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { RegisterResult } from './register-result.js';

/**
 * Answers a registration that was made before under the same Idempotency-Key, as it was answered then.
 *
 * The key shows nothing of who sends it: the password is verified against the account's present hash, under the limits
 * of logins. A repetition that differs in the password or in anything else gets one answer, after the same work, and
 * counts as a failed login with the username that it gives.
 *
 * @throws InvalidInputError `IDEMPOTENCY_KEY_REUSED` for a repetition that differs, also when the account has another
 *   password by now, or is disabled
 * @throws RateLimitedError after too many failures, as `issueToken` does
 * @throws ConflictError `REQUEST_IN_PROGRESS` when the account is being deleted: the key is free afterwards
 */
export async function repeatRegistration(
  deps: ConfirmPasswordDeps,
  { username, password }: { readonly username: string; readonly password: string },
  { storedResult, isSameRequest }: EarlierResult,
  client: ClientInfo,
): Promise<RegisterResult> {
  const userId = readResultId(storedResult, 'userId');
  const find = async (mac: Buffer): Promise<StoredCredential | null> => {
    const holder = await findPasswordHolder(deps.database, userId, mac);
    return isSameRequest ? holder : null;
  };
  try {
    await verifyPassword(deps, { name: username, password, client, find });
  } catch (error) {
    throw aboutRepetition(error, isSameRequest ? userId : undefined);
  }
  return registeredBefore(deps.database.fork(), userId);
}

/** The log is to say whose password is being guessed; the answer says nothing of it. */
function aboutRepetition(error: unknown, userId: string | undefined): unknown {
  if (error instanceof UnauthenticatedError) return reusedKeyError({ userId });
  if (error instanceof DomainError) error.subject = { userId };
  return error;
}

/** How far the follow-ups have come since is not a part of the answer. */
async function registeredBefore(em: EntityManager, userId: string): Promise<RegisterResult> {
  const account = await em.findOne(Account, userId);
  if (account === null) throw new ConflictError('REQUEST_IN_PROGRESS');
  const tasks = await em.find(OutboxTask, { registeredUserId: userId }, { orderBy: { id: 'asc' } });
  const asQueued = { status: 'QUEUED', attempts: 0, finishedAt: null } as const;
  return {
    user: toViewerView(account),
    followUps: tasks.map((task) => ({ ...toFollowUpView(task, userId), ...asQueued })),
  };
}
