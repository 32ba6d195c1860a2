import { EXPIRE_INVITATION_TASK, expireInvitation as expire, findGroupOfInvitation } from '../../groups/index.js';
import type { FollowUp, FollowUpDeps } from './follow-up.js';
import { invitationOf } from './invitation-of.js';

/** Records that an invitation has expired; skipped when it was answered, renewed or revoked before. */
export function expireInvitation({ database, clock, writeQueue }: Pick<FollowUpDeps, 'database' | 'clock' | 'writeQueue'>): FollowUp {
  return {
    name: EXPIRE_INVITATION_TASK,
    owedByRegistration: false,
    async runQueued({ payload }, complete) {
      const { invitationId } = invitationOf(payload);
      const groupId = await findGroupOfInvitation({ database }, invitationId);
      if (groupId === null) return complete(() => Promise.resolve('SKIPPED'));
      return writeQueue.runTask(groupId, (turn) => complete((em) => expire(em, turn, clock, invitationId)));
    },
  };
}
