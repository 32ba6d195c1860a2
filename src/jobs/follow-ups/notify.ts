import { SECURITY_NOTICES, sendNotice } from '../../accounts/index.js';
import type { FollowUp, FollowUpDeps } from './follow-up.js';

/** Mail to an account's owner what happened to it; skipped when the account was deleted meanwhile. */
export function notify(deps: FollowUpDeps): readonly FollowUp[] {
  return SECURITY_NOTICES.map((name) => ({
    name,
    owedByRegistration: false,
    run: ({ id }) => sendNotice(deps, name, id),
  }));
}
