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
} from '../../accounts/index.js';
import { inTransaction, statement } from '../../database/index.js';
import { ConflictError, UnavailableError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import { eraseAddress } from './erased-address.js';
import { enqueueRestOfDeletion } from './finish-deletion.js';
import { hasOtherMemberSql } from './other-members.js';
import { lockGroups } from './remove-account-from-groups.js';

type DeletionDeps = Pick<
  AccountsDeps,
  'database' | 'loaders' | 'clock' | 'hasher' | 'limits' | 'serverSecret' | 'revocations' | 'dispatchTasks'
> &
  Pick<GroupsDeps, 'writeQueue'>;

/** Between two looks somebody may have come into another of its groups, but not so often. */
const MOST_TRIES = 5;

interface OwnedGroup {
  readonly id: string;
  readonly hasOtherOwner: boolean;
}

/** SQL for the groups that can stand in the way: not cancelled, owned by the account, and with another member. */
const ownedWithOthersSql = (userId: string): string => `
  select m.group_id as id, ${hasOtherMemberSql('m.group_id', 'm.user_id', 'OWNER')} as "hasOtherOwner"
  from member m join groups g on g.id = m.group_id
  where m.user_id = ${userId} and m.role = 'OWNER' and g.cancelled_at is null and ${hasOtherMemberSql('m.group_id', 'm.user_id')}
  order by m.group_id`;

export const OWNED_WITH_OTHERS = statement<OwnedGroup>('owned_with_others', ownedWithOthersSql('$1'));

interface Erased {
  readonly endedSessions: readonly string[];
  readonly taskId: string;
}

/**
 * Deletes the caller's account. One transaction decides whether it may be, ends its tokens, frees its username and erases its
 * personal data. A task, queued with it, then takes it out of its groups: see `finishDeletion`.
 *
 * The decision holds the row locks of all groups that can stand in the way, so no owner of them leaves meanwhile.
 *
 * @throws UnauthenticatedError the token's own problem; `WRONG_CREDENTIALS` for the password
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 * @throws RateLimitedError after too many wrong passwords
 * @throws ConflictError `SOLE_OWNER_OF_GROUPS`: `previewDeletion` names them; nothing has happened then
 * @throws UnavailableError
 */
export async function deleteAccount(
  deps: DeletionDeps,
  actor: Actor,
  password: string,
  client: ClientInfo,
): Promise<{ readonly deletedUserId: string }> {
  const { userId } = requireUser(actor);
  const viewer = await getViewer(deps, actor);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const confirmedHash = await confirmPassword(deps, viewer, { password, client });
    const groupIds = (await deps.database.query(OWNED_WITH_OTHERS, [userId])).map(({ id }) => id);
    const erased = await deps.writeQueue.runOnAll(groupIds, () =>
      inTransaction(deps.database, (em) => tryToErase(em, deps.clock, { userId, confirmedHash, groupIds })),
    );
    if (erased === null) continue;
    deps.revocations.publish(erased.endedSessions);
    deps.dispatchTasks([erased.taskId]);
    return { deletedUserId: userId };
  }
  throw new UnavailableError('OVERLOADED');
}

interface Confirmed {
  readonly userId: string;
  readonly confirmedHash: string;
  readonly groupIds: readonly string[];
}

/**
 * The groups are locked in ascending order, and the account after them, as by every writer who locks both.
 *
 * @returns null when the password or the groups were others by the time that all was locked
 */
async function tryToErase(
  em: EntityManager,
  clock: Clock,
  { userId, confirmedHash, groupIds }: Confirmed,
): Promise<Erased | null> {
  await lockGroups(em, groupIds);
  const account = await lockAccountToErase(em, userId, confirmedHash);
  if (account === null) return null;
  const owned = await em.execute<OwnedGroup[]>(ownedWithOthersSql('?'), [userId]);
  if (owned.some(({ id }) => !groupIds.includes(id))) return null;
  if (owned.some(({ hasOtherOwner }) => !hasOtherOwner)) throw new ConflictError('SOLE_OWNER_OF_GROUPS');
  const now = clock.now();
  await eraseAddress(em, account);
  const endedSessions = await eraseAccount(em, account, now);
  const { id: taskId } = enqueueRestOfDeletion(em, userId, now);
  return { endedSessions, taskId };
}
