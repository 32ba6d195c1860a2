import { INVITATION_MAIL_TASK, sendInvitationMail } from '../../groups/index.js';
import type { FollowUp, FollowUpDeps } from './follow-up.js';
import { invitationOf } from './invitation-of.js';

/** Mails an invitation's link; skipped when it was answered, replaced or revoked before. */
export function mailInvitation(deps: FollowUpDeps): FollowUp {
  return {
    name: INVITATION_MAIL_TASK,
    owedByRegistration: false,
    run: ({ id: mailId, payload }) => sendInvitationMail(deps, { ...invitationOf(payload), mailId }),
  };
}
