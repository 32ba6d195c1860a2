import type { EntityManager } from '@mikro-orm/postgresql';
import {
  confirmPassword,
  eraseAccount,
  getViewer,
  lockAccountToErase,
  requireUser,
  type AccountsDeps,
  type Actor,
  type ClientInfo,
  type Clock,
} from '../accounts/index.js';
import { retryWhileNull } from '../async/retry.js';
import { inTransaction } from '../database/index.js';
import { UnavailableError } from '../errors/index.js';
import {
  eraseAddress,
  findOwnedGroupsWithOthers,
  lockGroups,
  requireNoSoleOwnership,
  type GroupsDeps,
} from '../groups/index.js';
import { enqueueEraseAccountTask } from './finish-deletion.js';

type DeleteAccountDeps = Pick<
  AccountsDeps,
  'database' | 'loaders' | 'clock' | 'hasher' | 'limits' | 'serverSecret' | 'revocations' | 'dispatchTasks'
> & { readonly writeQueue: GroupsDeps['writeQueue'] };

/** An attempt fails when the account's password or groups change before they are locked, which is rare. */
const MAX_ATTEMPTS = 5;

/**
 * Deletes the caller's account. One transaction decides whether it may be deleted, revokes its tokens, frees its
 * username, erases its personal data, and enqueues the task that removes it from its groups (`finishDeletion`).
 *
 * The transaction holds the row locks of all groups that can block the deletion, so no other owner leaves meanwhile.
 *
 * @throws UnauthenticatedError when the token is invalid; `WRONG_CREDENTIALS` for a wrong password
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client
 * @throws RateLimitedError after too many wrong passwords
 * @throws ConflictError `SOLE_OWNER_OF_GROUPS` when `listBlockingGroups` is not empty; changes nothing
 * @throws UnavailableError `OVERLOADED` when a write queue is full, or five attempts have failed
 */
export async function deleteAccount(
  deps: DeleteAccountDeps,
  actor: Actor,
  password: string,
  client: ClientInfo,
): Promise<{ readonly deletedUserId: string }> {
  const { userId } = requireUser(actor);
  const viewer = await getViewer(deps, actor);
  const erased = await retryWhileNull(MAX_ATTEMPTS, async () => {
    const confirmedHash = await confirmPassword(deps, viewer, { password, client });
    const groupIds = await findOwnedGroupsWithOthers(deps.database, userId);
    return deps.writeQueue.runOnAll(groupIds, () =>
      inTransaction(deps.database, (em) => tryToErase(em, deps.clock, { userId, confirmedHash, groupIds })),
    );
  });
  if (erased === null) throw new UnavailableError('OVERLOADED');
  deps.revocations.publish(erased.revokedSessionIds);
  deps.dispatchTasks([erased.taskId]);
  return { deletedUserId: userId };
}

interface ConfirmedDeletion {
  readonly userId: string;
  readonly confirmedHash: string;
  readonly groupIds: readonly string[];
}

interface ErasedAccount {
  readonly revokedSessionIds: readonly string[];
  readonly taskId: string;
}

/**
 * Lock order: the groups in ascending order of id, then the account.
 *
 * @returns null when the account's password or groups have changed before they were locked
 */
async function tryToErase(
  em: EntityManager,
  clock: Clock,
  { userId, confirmedHash, groupIds }: ConfirmedDeletion,
): Promise<ErasedAccount | null> {
  await lockGroups(em, groupIds);
  const account = await lockAccountToErase(em, userId, confirmedHash);
  if (account === null || !(await requireNoSoleOwnership(em, userId, groupIds))) return null;
  const now = clock.now();
  await eraseAddress(em, account);
  const revokedSessionIds = await eraseAccount(em, account, now);
  const { id: taskId } = enqueueEraseAccountTask(em, userId, now);
  return { revokedSessionIds, taskId };
}
