import { SECURITY_NOTICES, sendSecurityNotice } from '../../accounts/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/**
 * Creates one handler for each security notice, which mails it to the account's user. Skipped when the account was
 * deleted before.
 */
export function securityNoticeHandlers(deps: TaskHandlerDeps): readonly TaskHandlerDefinition[] {
  return SECURITY_NOTICES.map((name) => ({
    name,
    queuedAtRegistration: false,
    run: ({ id }) => sendSecurityNotice(deps, name, id),
  }));
}
