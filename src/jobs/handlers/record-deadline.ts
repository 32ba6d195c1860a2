import { recordDeadline as record, RECORD_DEADLINE_TASK } from '../../groups/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Records that a group's deadline has passed; skipped when it was moved, or a writer recorded it first. */
export function recordDeadlineHandler({
  clock,
  writeQueue,
}: Pick<TaskHandlerDeps, 'clock' | 'writeQueue'>): TaskHandlerDefinition {
  return {
    name: RECORD_DEADLINE_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload: { groupId } }, complete) {
      if (typeof groupId !== 'string') throw new Error('The payload names no group.');
      await writeQueue.runTask(groupId, (turn) => complete((em) => record(em, turn, clock)));
    },
  };
}
