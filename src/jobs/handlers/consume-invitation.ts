import { consumeInvitation as consume, CONSUME_INVITATION_TASK } from '../../groups/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/** Uses up an unanswered invitation to the verified address of a member; skipped when there is none any more. */
export function consumeInvitation({
  clock,
  writeQueue,
}: Pick<TaskHandlerDeps, 'clock' | 'writeQueue'>): TaskHandlerDefinition {
  return {
    name: CONSUME_INVITATION_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload }, complete) {
      const { groupId } = payload;
      if (typeof groupId !== 'string') throw new Error('Task payload has no groupId');
      const userId = parseAccountPayload(payload);
      return writeQueue.runTask(groupId, (turn) => complete((em) => consume(em, turn, clock, userId)));
    },
  };
}
