import { RESET_PASSWORD_TASK, sendResetMail } from '../../accounts/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Mails the link that resets a password, if the address that it was asked for is somebody's. */
export function resetPasswordMailHandler(deps: TaskHandlerDeps): TaskHandlerDefinition {
  return {
    name: RESET_PASSWORD_TASK,
    queuedAtRegistration: false,
    run: ({ id, payload }) => {
      // No retry mends that.
      if (typeof payload['resetId'] !== 'string') throw new Error('The payload names no password reset.');
      return sendResetMail(deps, { resetId: payload['resetId'], mailId: id });
    },
  };
}
