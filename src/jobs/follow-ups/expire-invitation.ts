import { EXPIRE_INVITATION_TASK, expireInvitation as expire } from '../../groups/index.js';
import type { FollowUp, FollowUpDeps } from './follow-up.js';
import { invitationOf } from './invitation-of.js';

/** Records that an invitation has expired; skipped when it was answered, renewed or revoked before. */
export function expireInvitation({ clock }: Pick<FollowUpDeps, 'clock'>): FollowUp {
  return {
    name: EXPIRE_INVITATION_TASK,
    owedByRegistration: false,
    runInTransaction: (em, { payload }) => expire(em, clock, invitationOf(payload).invitationId),
  };
}
