import { claimInvitationHandler } from './claim-invitation.js';
import { consumeInvitation } from './consume-invitation.js';
import { eraseAccount } from './erase-account.js';
import { expireInvitationHandler } from './expire-invitation.js';
import { invitationMailHandler } from './mail-invitation.js';
import { securityNoticeHandlers } from './notify.js';
import { recordDeadlineHandler } from './record-deadline.js';
import { registrationEventHandler } from './registration-event.js';
import { resetPasswordMailHandler } from './reset-password.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';
import { verificationMailHandler } from './verify-email.js';

export type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Every follow-up, in the order in which a registration shows its own. A new one is a file and its line here. */
export function createTaskHandlers(deps: TaskHandlerDeps): readonly TaskHandlerDefinition[] {
  return [
    verificationMailHandler(deps),
    claimInvitationHandler(deps),
    registrationEventHandler(deps),
    invitationMailHandler(deps),
    expireInvitationHandler(deps),
    consumeInvitation(deps),
    recordDeadlineHandler(deps),
    resetPasswordMailHandler(deps),
    eraseAccount(deps),
    ...securityNoticeHandlers(deps),
  ];
}

/** The names of those that every registration queues. */
export function registrationTaskNames(all: readonly TaskHandlerDefinition[]): string[] {
  return all.filter(({ queuedAtRegistration }) => queuedAtRegistration).map(({ name }) => name);
}
