import { EXPIRE_INVITATION_TASK, expireInvitation, findGroupOfInvitation } from '../../groups/index.js';
import { parseInvitationPayload } from './parse-invitation-payload.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates the handler that records the expiry of an invitation. Skipped when it was answered, renewed or revoked
 * before.
 */
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
      if (groupId === null) return 'SKIPPED';
      return writeQueue.runTask(groupId, (turn) => complete((em) => expireInvitation(em, turn, clock, invitationId)));
    },
  };
}
