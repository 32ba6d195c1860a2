import { SECURITY_NOTICES, sendSecurityNotice } from '../../accounts/index.js';
import type { TaskHandlerDefinition, TaskHandlerDeps } from './task-handler-definition.js';

/** Mail to an account's owner what happened to it; skipped when the account was deleted meanwhile. */
export function securityNoticeHandlers(deps: TaskHandlerDeps): readonly TaskHandlerDefinition[] {
  return SECURITY_NOTICES.map((name) => ({
    name,
    queuedAtRegistration: false,
    run: ({ id }) => sendSecurityNotice(deps, name, id),
  }));
}
