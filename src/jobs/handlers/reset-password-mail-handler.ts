import { RESET_PASSWORD_TASK, sendResetMail } from '../../accounts/index.js';
import { PermanentError } from '../../errors/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Creates the handler that mails the link to reset a password. Skipped when no account has the requested address. */
export function resetPasswordMailHandler(deps: TaskHandlerDeps): TaskHandlerDefinition {
  return {
    name: RESET_PASSWORD_TASK,
    queuedAtRegistration: false,
    run: ({ id, payload }) => {
      if (typeof payload['resetId'] !== 'string') throw new PermanentError('Task payload has no resetId');
      return sendResetMail(deps, { resetId: payload['resetId'], mailId: id });
    },
  };
}
