import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '../../accounts/index.js';
import { enqueueTask } from '../../database/index.js';
import { hasUnrecordedDeadline } from '../model/group-state.js';
import type { Group } from '../model/group.entity.js';
import { SYSTEM_AUTHOR } from '../transaction/group-ledger.js';
import type { GroupTurn } from '../transaction/group-write-queue.js';
import { findAndLockGroup } from '../transaction/with-locked-group.js';

/** Name of the task that records a deadline when it passes. */
export const RECORD_DEADLINE_TASK = 'record_deadline';

/**
 * Enqueues the task that records a group's deadline, due at the deadline, in the caller's transaction. Does nothing
 * without a deadline. The task of an earlier deadline remains and is skipped.
 */
export function scheduleDeadlineTask(
  em: EntityManager,
  { id, respondBy }: Pick<Group, 'id' | 'respondBy'>,
  now: Date,
): void {
  if (respondBy !== null)
    enqueueTask(em, { name: RECORD_DEADLINE_TASK, payload: { groupId: id }, dueAt: respondBy }, now);
}

/**
 * Records in the caller's transaction that a group's deadline has passed, with the deadline as its time.
 *
 * @returns `SKIPPED` when the deadline is recorded already or was moved, or the group was deleted or cancelled
 */
export async function recordDeadline(em: EntityManager, turn: GroupTurn, clock: Clock): Promise<'DONE' | 'SKIPPED'> {
  const tx = await findAndLockGroup(em, turn, SYSTEM_AUTHOR, clock);
  if (tx === null || !hasUnrecordedDeadline(tx.group, tx.now)) return 'SKIPPED';
  tx.ledger.recordDeadline();
  return 'DONE';
}
