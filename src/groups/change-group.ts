import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock, KnownActor } from '../accounts/index.js';
import { inTransaction } from '../database/index.js';
import { NotFoundError } from '../errors/index.js';
import { type Caller, requireCaller, requireWithinLimits } from './caller.js';
import type { GroupsDeps } from './deps.js';
import type { GroupTurn } from './group-write-queue.js';
import { type Author, authorOf, GroupLedger } from './group-ledger.js';
import { type GroupView, groupView, type ReadAlong } from './group-view.js';
import { Group } from './group.entity.js';
import { memberView } from './member-view.js';
import { Member } from './member.entity.js';

/** A group whose row is locked until the transaction ends: nothing about it or its members changes meanwhile. */
export interface GroupUnderLock {
  readonly em: EntityManager;
  readonly group: Group;
  /** Taken once the lock was had, so that history runs forward in time. */
  readonly now: Date;
  readonly ledger: GroupLedger;
}

/** With the caller's standing in it, for changes that take one. */
export interface LockedGroup extends GroupUnderLock {
  readonly caller: Caller;
  /** By user id: the caller and the people asked for, as far as they are members. */
  readonly members: Map<string, Member>;
}

export interface GroupToChange {
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
export async function changeGroup<T>(
  deps: GroupsDeps,
  actor: KnownActor,
  { groupId, userIds = [] }: GroupToChange,
  work: (locked: LockedGroup) => Promise<T>,
): Promise<T> {
  requireWithinLimits(actor, groupId);
  return deps.writeQueue.run(groupId, (turn) => inTransaction(deps.database, async (em) => {
    const locked = await lockGroup(em, turn, authorOf(actor), deps.clock);
    const members = await findMembers(em, groupId, actor.kind === 'user' ? [actor.userId, ...userIds] : userIds);
    const caller = await requireCaller(em, actor, members);
    return work({ ...locked, caller, members });
  }));
}

/** @throws NotFoundError `GROUP_NOT_FOUND` */
async function lockGroup(em: EntityManager, turn: GroupTurn, author: Author, clock: Clock): Promise<GroupUnderLock> {
  const locked = await findAndLockGroup(em, turn, author, clock);
  if (locked === null) throw new NotFoundError('GROUP_NOT_FOUND');
  return locked;
}

/** Null when there is none, or none any more by the time that the lock was had. */
export async function findAndLockGroup(
  em: EntityManager,
  { groupId: id }: GroupTurn,
  author: Author,
  clock: Clock,
): Promise<GroupUnderLock | null> {
  const group = await em.findOne(Group, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (group === null) return null;
  const now = clock.now();
  return { em, group, now, ledger: new GroupLedger(em, group, author, now) };
}

/** Members by user id. */
export async function findMembers(em: EntityManager, groupId: string, userIds: readonly string[]): Promise<Map<string, Member>> {
  if (userIds.length === 0) return new Map();
  const members = await em.find(Member, { groupId, userId: { $in: [...userIds] } });
  return new Map(members.map((member) => [member.userId, member]));
}

/** The group as its changer sees it. */
export function viewOfLocked({ group, caller, members, now }: LockedGroup, readAlong: ReadAlong = {}): GroupView {
  const own = caller.kind === 'user' ? members.get(caller.actor.userId) : undefined;
  return groupView(group, now, { viewerMembership: own === undefined ? null : memberView(own), ...readAlong });
}
