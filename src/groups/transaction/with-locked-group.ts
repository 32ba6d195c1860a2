import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuthenticatedActor, Clock } from '../../accounts/index.js';
import { inTransaction } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { requireGroupAllowedByKey, resolveCaller, type Caller } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import { toGroupView, type GroupView, type PreloadedFields } from '../model/group-view.js';
import { Group } from '../model/group.entity.js';
import { toMemberView } from '../model/member-view.js';
import { Member } from '../model/member.entity.js';
import { GroupLedger, toChangeAuthor, type ChangeAuthor } from './group-ledger.js';
import type { GroupTurn } from './group-write-queue.js';

/** A group whose row is locked until the transaction ends: nothing about it or its members changes meanwhile. */
export interface GroupTransaction {
  readonly em: EntityManager;
  readonly group: Group;
  /** Taken once the lock was had, so that history runs forward in time. */
  readonly now: Date;
  readonly ledger: GroupLedger;
}

/** With the caller's standing in it, for changes that take one. */
export interface AuthorizedGroupTransaction extends GroupTransaction {
  readonly caller: Caller;
  /** By user id: the caller and the people asked for, as far as they are members. */
  readonly members: Map<string, Member>;
}

export interface LockedGroupOptions {
  readonly groupId: string;
  /** The people whom the change concerns, where they are known beforehand. */
  readonly userIds?: readonly string[];
}

/**
 * Changes a group: waits for the group's turn in the write queue, then runs `work` in one transaction that holds the row lock of
 * the group.
 *
 * Every writer of the group or its members takes that lock first, so member rows need no lock.
 *
 * @throws UnavailableError `OVERLOADED` when too many writers of the group wait, or have waited too long
 * @throws NotFoundError `GROUP_NOT_FOUND` when there is none, or none that the caller may know of
 */
export async function withLockedGroup<T>(
  deps: GroupsDeps,
  actor: AuthenticatedActor,
  { groupId, userIds = [] }: LockedGroupOptions,
  work: (tx: AuthorizedGroupTransaction) => Promise<T>,
): Promise<T> {
  requireGroupAllowedByKey(actor, groupId);
  return deps.writeQueue.run(groupId, (turn) =>
    inTransaction(deps.database, async (em) => {
      const tx = await lockGroup(em, turn, toChangeAuthor(actor), deps.clock);
      const members = await findMembers(em, groupId, actor.kind === 'user' ? [actor.userId, ...userIds] : userIds);
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

/** Null when there is none, or none any more by the time that the lock was had. */
export async function findAndLockGroup(
  em: EntityManager,
  { groupId: id }: GroupTurn,
  author: ChangeAuthor,
  clock: Clock,
): Promise<GroupTransaction | null> {
  const group = await em.findOne(Group, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (group === null) return null;
  const now = clock.now();
  return { em, group, now, ledger: new GroupLedger(em, group, author, now) };
}

/** Members by user id. */
export async function findMembers(
  em: EntityManager,
  groupId: string,
  userIds: readonly string[],
): Promise<Map<string, Member>> {
  if (userIds.length === 0) return new Map();
  const members = await em.find(Member, { groupId, userId: { $in: [...userIds] } });
  return new Map(members.map((member) => [member.userId, member]));
}

/** The group as its changer sees it. */
export function toCallerGroupView(
  { group, caller, members, now }: AuthorizedGroupTransaction,
  readAlong: PreloadedFields = {},
): GroupView {
  const own = caller.kind === 'user' ? members.get(caller.actor.userId) : undefined;
  return toGroupView(group, now, { viewerMembership: own === undefined ? null : toMemberView(own), ...readAlong });
}
