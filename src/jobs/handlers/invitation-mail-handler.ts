import { INVITATION_MAIL_TASK, sendInvitationMail } from '../../groups/index.js';
import { parseInvitationPayload } from './parse-invitation-payload.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Creates the handler that mails an invitation's link. Skipped when it was answered, replaced or revoked before. */
export function invitationMailHandler(deps: TaskHandlerDeps): TaskHandlerDefinition {
  return {
    name: INVITATION_MAIL_TASK,
    queuedAtRegistration: false,
    run: ({ id: mailId, payload }) => sendInvitationMail(deps, { ...parseInvitationPayload(payload), mailId }),
  };
}
