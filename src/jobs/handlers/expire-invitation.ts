import { expireInvitation as expire, EXPIRE_INVITATION_TASK, findGroupOfInvitation } from '../../groups/index.js';
import { parseInvitationPayload } from './parse-invitation-payload.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Records that an invitation has expired; skipped when it was answered, renewed or revoked before. */
export function expireInvitationHandler({
  database,
  clock,
  writeQueue,
}: Pick<TaskHandlerDeps, 'database' | 'clock' | 'writeQueue'>): TaskHandlerDefinition {
  return {
    name: EXPIRE_INVITATION_TASK,
    queuedAtRegistration: false,
    async runQueued({ payload }, complete) {
      const { invitationId } = parseInvitationPayload(payload);
      const groupId = await findGroupOfInvitation({ database }, invitationId);
      if (groupId === null) return complete(() => Promise.resolve('SKIPPED'));
      return writeQueue.runTask(groupId, (turn) => complete((em) => expire(em, turn, clock, invitationId)));
    },
  };
}
