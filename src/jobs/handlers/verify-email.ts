import { sendVerificationMail } from '../../accounts/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Mails the link that proves an account's address; skipped when there is no address to prove, or it has had its mails
 * for the hour.
 */
export function verificationMailHandler(deps: TaskHandlerDeps): TaskHandlerDefinition {
  return {
    name: 'verify_email',
    queuedAtRegistration: true,
    run: ({ id, payload }) => sendVerificationMail(deps, { userId: parseAccountPayload(payload), mailId: id }),
  };
}
