import { createOpenVerificationLoader, sendVerificationMail } from '../../accounts/index.js';
import { parseAccountPayload, type TaskHandlerDefinition, type TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates the handler that mails the link to verify an account's address. Skipped when the account has no unverified
 * address, or when the hourly limit of mails to it is reached.
 */
export function verificationMailHandler(deps: TaskHandlerDeps): TaskHandlerDefinition {
  const mailDeps = { ...deps, findOpenVerification: createOpenVerificationLoader(deps) };
  return {
    name: 'verify_email',
    queuedAtRegistration: true,
    run: ({ id, payload }) => sendVerificationMail(mailDeps, { userId: parseAccountPayload(payload), mailId: id }),
  };
}
