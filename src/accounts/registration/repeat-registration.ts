import type { EntityManager } from '@mikro-orm/postgresql';
import { OutboxTask } from '../../database/index.js';
import { ConflictError, DomainError, UnauthenticatedError } from '../../errors/index.js';
import { readResultId, reusedKeyError, type EarlierResult } from '../idempotency/find-idempotent-result.js';
import { Account } from '../identity/account.entity.js';
import { toFollowUpView, toViewerView } from '../identity/view-mappers.js';
import { findCredential, type ConfirmPasswordDeps } from '../passwords/confirm-password.js';
import { verifyPassword, type StoredCredential } from '../passwords/verify-password.js';
import type { ClientInfo } from '../ports/client-info.js';
import type { RegisterResult } from './register-result.js';

/**
 * Returns the result of an earlier registration under the same Idempotency-Key.
 *
 * The key does not authenticate the caller, so the password is verified against the account's present hash, within the
 * limits on failed logins. A repetition that differs in the password or in another field gets the same error after the
 * same work, and counts as a failed login with the username that it contains.
 *
 * @throws InvalidInputError `IDEMPOTENCY_KEY_REUSED` for a repetition that differs; also when the password was changed
 *   since or the account is disabled
 * @throws RateLimitedError after too many failures, as `issueToken` does
 * @throws ConflictError `REQUEST_IN_PROGRESS` while the account is being deleted; the key is free afterwards
 */
export async function repeatRegistration(
  deps: ConfirmPasswordDeps,
  { username, password }: { readonly username: string; readonly password: string },
  { storedResult, isSameRequest }: EarlierResult,
  client: ClientInfo,
): Promise<RegisterResult> {
  const userId = readResultId(storedResult, 'userId');
  const find = async (mac: Buffer): Promise<StoredCredential | null> => {
    const credential = await findCredential(deps.database, userId, mac);
    return isSameRequest ? credential : null;
  };
  try {
    await verifyPassword(deps, { name: username, password, client, find });
  } catch (error) {
    throw toRepetitionError(error, isSameRequest ? userId : undefined);
  }
  return findRegistration(deps.database.fork(), userId);
}

/** Names the account in the log only; the response does not reveal it. */
function toRepetitionError(error: unknown, userId: string | undefined): unknown {
  if (error instanceof UnauthenticatedError) return reusedKeyError({ userId });
  if (error instanceof DomainError) error.subject = { userId };
  return error;
}

/** Follow-ups are returned as they were enqueued, whatever their present status. */
async function findRegistration(em: EntityManager, userId: string): Promise<RegisterResult> {
  const account = await em.findOne(Account, userId);
  if (account === null) throw new ConflictError('REQUEST_IN_PROGRESS');
  const tasks = await em.find(OutboxTask, { registeredUserId: userId }, { orderBy: { id: 'asc' } });
  const asQueued = { status: 'QUEUED', attempts: 0, finishedAt: null } as const;
  return {
    user: toViewerView(account),
    followUps: tasks.map((task) => ({ ...toFollowUpView(task, userId), ...asQueued })),
  };
}
