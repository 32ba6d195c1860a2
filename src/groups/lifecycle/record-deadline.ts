import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { enqueueTask } from '../../database/index.js';
import { hasUnrecordedDeadline } from '../model/group-state.js';
import type { Group } from '../model/group.entity.js';
import { SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findAndLockGroup } from '../transaction/with-locked-group.js';

/** The task that records, at its time, that a group's deadline has passed. */
export const RECORD_DEADLINE_TASK = 'record_deadline';

/** Owes, in the caller's transaction, the record of a deadline. One that is moved leaves its task behind, which then finds nothing to do. */
export function scheduleDeadlineTask(
  em: EntityManager,
  { id, respondBy }: Pick<Group, 'id' | 'respondBy'>,
  now: Date,
): void {
  if (respondBy !== null)
    enqueueTask(em, { name: RECORD_DEADLINE_TASK, payload: { groupId: id }, dueAt: respondBy }, now);
}

/**
 * Records within the caller's transaction that a group's deadline has passed, as of when it passed.
 *
 * @returns `SKIPPED` when it was recorded before, was moved, or the group is gone or cancelled
 */
export async function recordDeadline(em: EntityManager, turn: GroupTurn, clock: Clock): Promise<'DONE' | 'SKIPPED'> {
  const tx = await findAndLockGroup(em, turn, SYSTEM_AUTHOR, clock);
  if (tx === null || !hasUnrecordedDeadline(tx.group, tx.now)) return 'SKIPPED';
  tx.ledger.recordDeadline();
  return 'DONE';
}
