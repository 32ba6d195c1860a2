import { PermanentError } from '../../errors/index.js';
import { CONSUME_INVITATION_TASK, consumeInvitation } from '../../groups/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates the handler that consumes an unanswered invitation to the verified address of a member. Skipped when there is
 * none.
 */
export function consumeInvitationHandler({
  clock,
  writeQueue,
}: Pick<TaskHandlerDeps, 'clock' | 'writeQueue'>): TaskHandlerDefinition {
  return {
    name: CONSUME_INVITATION_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload }, complete) {
      const { groupId } = payload;
      if (typeof groupId !== 'string') throw new PermanentError('Task payload has no groupId');
      const userId = parseAccountPayload(payload);
      return writeQueue.runTask(groupId, (turn) => complete((em) => consumeInvitation(em, turn, clock, userId)));
    },
  };
}
