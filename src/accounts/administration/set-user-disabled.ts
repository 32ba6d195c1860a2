import { recordAuditEvent } from '../audit/record-audit-event.js';
import type { AdminActor } from '../identity/admin-guard.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';
import type { AccountView } from './account-view.js';
import { updateAccountAsAdmin, type UpdateAccountAsAdminDeps } from './update-account-as-admin.js';

export interface SetUserDisabledParams {
  readonly userId: string;
  readonly disabled: boolean;
}

/**
 * Disables or enables an account. Disabling revokes all its sessions immediately; its data stays. Repeating it changes
 * nothing.
 *
 * @throws as `updateAccountAsAdmin`
 */
export function setUserDisabled(
  deps: UpdateAccountAsAdminDeps,
  actor: AdminActor,
  { userId, disabled }: SetUserDisabledParams,
): Promise<AccountView> {
  return updateAccountAsAdmin(deps, actor, userId, async (em, account, { adminId, now }) => {
    if ((account.disabledAt !== null) === disabled) return [];
    account.disabledAt = disabled ? now : null;
    recordAuditEvent(
      em,
      { action: disabled ? 'account.disabled' : 'account.enabled', actorId: adminId, subjectId: userId },
      now,
    );
    return disabled ? revokeSessions(em, { account }, now) : [];
  });
}
