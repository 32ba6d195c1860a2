import { PermanentError } from '../../errors/index.js';
import { RECORD_DEADLINE_TASK, recordDeadline } from '../../groups/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates the handler that records that a group's deadline has passed. Skipped when the deadline was moved, or when
 * another writer has recorded it.
 */
export function recordDeadlineHandler({
  clock,
  writeQueue,
}: Pick<TaskHandlerDeps, 'clock' | 'writeQueue'>): TaskHandlerDefinition {
  return {
    name: RECORD_DEADLINE_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload: { groupId } }, complete) {
      if (typeof groupId !== 'string') throw new PermanentError('Task payload has no groupId');
      return writeQueue.runTask(groupId, (turn) => complete((em) => recordDeadline(em, turn, clock)));
    },
  };
}
