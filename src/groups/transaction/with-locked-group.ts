import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuthenticatedActor, Clock } from '../../accounts/index.js';
import { inTransaction, type Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { requireGroupAllowedByKey, resolveCaller, type Caller } from '../access/authorization.js';
import { toGroupView, toMemberView, type GroupView, type PreloadedFields } from '../model/group-view.js';
import { Group } from '../model/group.entity.js';
import { Member } from '../model/member.entity.js';
import { GroupLedger, toChangeAuthor, type ChangeAuthor } from './group-ledger.js';
import type { GroupTurn, GroupWriteQueue } from './group-write-queue.js';

/** Requirements of every change of a group. */
export interface GroupWriteDeps {
  readonly database: Database;
  readonly writeQueue: GroupWriteQueue;
  readonly clock: Clock;
}

/** Result of a change of a group. */
export interface GroupPayload {
  readonly group: GroupView;
}

/** Context of a transaction that holds the group's row lock: group and members cannot change concurrently. */
export interface GroupTransaction {
  readonly em: EntityManager;
  readonly group: Group;
  /** Taken under the lock, so that the times of revisions ascend. */
  readonly now: Date;
  readonly ledger: GroupLedger;
}

/** Context with the caller's access, for changes that a caller makes. */
export interface AuthorizedGroupTransaction extends GroupTransaction {
  readonly caller: Caller;
  /** The caller and the requested users, as far as they are members, by user id. */
  readonly members: Map<string, Member>;
}

interface LockedGroupOptions {
  readonly groupId: string;
  /** Users whose memberships `work` needs. */
  readonly userIds?: readonly string[];
}

/**
 * Changes a group: waits in the group's write queue, then runs `work` in one transaction that holds the group's row
 * lock (`FOR UPDATE`).
 *
 * All writers of a group or its members take this lock first, so member rows need no lock.
 *
 * @throws UnavailableError `OVERLOADED` when too many writers of the group wait, or the wait was too long
 * @throws NotFoundError `GROUP_NOT_FOUND` when the group does not exist or the caller has no access
 */
export async function withLockedGroup<T>(
  deps: GroupWriteDeps,
  actor: AuthenticatedActor,
  { groupId, userIds = [] }: LockedGroupOptions,
  work: (tx: AuthorizedGroupTransaction) => Promise<T>,
): Promise<T> {
  requireGroupAllowedByKey(actor, groupId);
  return deps.writeQueue.run(groupId, (turn) =>
    inTransaction(deps.database, async (em) => {
      const tx = await lockGroup(em, turn, toChangeAuthor(actor), deps.clock);
      const members = await findMembersByUserId(
        em,
        groupId,
        actor.kind === 'user' ? [actor.userId, ...userIds] : userIds,
      );
      const caller = await resolveCaller(em, actor, members);
      return work({ ...tx, caller, members });
    }),
  );
}

/** @throws NotFoundError `GROUP_NOT_FOUND` */
async function lockGroup(
  em: EntityManager,
  turn: GroupTurn,
  author: ChangeAuthor,
  clock: Clock,
): Promise<GroupTransaction> {
  const tx = await findAndLockGroup(em, turn, author, clock);
  if (tx === null) throw new NotFoundError('GROUP_NOT_FOUND');
  return tx;
}

/**
 * Locks a group's row (`FOR UPDATE`) in the caller's transaction.
 *
 * @param turn the group's turn in the write queue
 * @returns null when the group does not exist
 */
export async function findAndLockGroup(
  em: EntityManager,
  { groupId: id }: GroupTurn,
  author: ChangeAuthor,
  clock: Clock,
): Promise<GroupTransaction | null> {
  const group = await em.findOne(Group, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (group === null) return null;
  const now = clock.now();
  return { em, group, now, ledger: GroupLedger.inUnitOfWork(em, group, author, now) };
}

/** Locks the rows of several groups in the caller's transaction, in ascending order of id, as all writers do. */
export async function lockGroups(em: EntityManager, ids: readonly string[]): Promise<Group[]> {
  if (ids.length === 0) return [];
  return em.find(
    Group,
    { id: { $in: [...new Set(ids)] } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}

export async function findMembersByUserId(
  em: EntityManager,
  groupId: string,
  userIds: readonly string[],
): Promise<Map<string, Member>> {
  if (userIds.length === 0) return new Map();
  const members = await em.find(Member, { groupId, userId: { $in: [...userIds] } });
  return new Map(members.map((member) => [member.userId, member]));
}

/** Maps the group of the transaction to the caller's view of it. */
export function toCallerGroupView(
  { group, caller, members, now }: AuthorizedGroupTransaction,
  preloaded: PreloadedFields = {},
): GroupView {
  const own = caller.kind === 'user' ? members.get(caller.actor.userId) : undefined;
  return toGroupView(group, now, { viewerMembership: own === undefined ? null : toMemberView(own), ...preloaded });
}
