import { claimInvitationHandler } from './claim-invitation-handler.js';
import { consumeInvitationHandler } from './consume-invitation-handler.js';
import { eraseAccountHandler } from './erase-account-handler.js';
import { expireInvitationHandler } from './expire-invitation-handler.js';
import { invitationMailHandler } from './invitation-mail-handler.js';
import { recordDeadlineHandler } from './record-deadline-handler.js';
import { registrationEventHandler } from './registration-event-handler.js';
import { resetPasswordMailHandler } from './reset-password-mail-handler.js';
import { securityNoticeHandlers } from './security-notice-handlers.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';
import { verificationMailHandler } from './verification-mail-handler.js';

/** Creates every handler. A registration lists its follow-ups in this order. */
export function createTaskHandlers(deps: TaskHandlerDeps): readonly TaskHandlerDefinition[] {
  return [
    verificationMailHandler(deps),
    claimInvitationHandler(deps),
    registrationEventHandler(deps),
    invitationMailHandler(deps),
    expireInvitationHandler(deps),
    consumeInvitationHandler(deps),
    recordDeadlineHandler(deps),
    resetPasswordMailHandler(deps),
    eraseAccountHandler(deps),
    ...securityNoticeHandlers(deps),
  ];
}

/** The names of the tasks that every registration enqueues. */
export function registrationTaskNames(all: readonly TaskHandlerDefinition[]): string[] {
  return all.filter(({ queuedAtRegistration }) => queuedAtRegistration).map(({ name }) => name);
}
