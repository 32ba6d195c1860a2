import type { EntityManager } from '@mikro-orm/postgresql';
import { forgetAccount } from '../accounts/index.js';
import { enqueueTask, type OutboxTask } from '../database/index.js';
import { removeAccountFromGroups, type GroupWriteDeps } from '../groups/index.js';

/** Name of the task that removes a deleted account from its groups, and then deletes its row. */
export const ERASE_ACCOUNT_TASK = 'erase_account';

/**
 * Removes a deleted account from its groups and deletes its row, in many short transactions. Continues after a crash;
 * concurrent calls are harmless.
 *
 * @param mayContinue called after each transaction; returns false to stop
 * @returns whether the account's row was deleted
 */
export async function finishDeletion(
  deps: GroupWriteDeps,
  userId: string,
  mayContinue: () => boolean,
): Promise<boolean> {
  do {
    if (!(await removeAccountFromGroups(deps, userId, mayContinue))) return false;
    if (await forgetAccount(deps.database, userId)) return true;
  } while (mayContinue());
  return false;
}

/**
 * Enqueues the task that finishes a deletion, in the caller's transaction.
 *
 * @param dueAt null for immediately
 */
export function enqueueEraseAccountTask(
  em: EntityManager,
  userId: string,
  now: Date,
  dueAt: Date | null = null,
): OutboxTask {
  return enqueueTask(em, { name: ERASE_ACCOUNT_TASK, payload: { userId }, ...(dueAt === null ? {} : { dueAt }) }, now);
}
