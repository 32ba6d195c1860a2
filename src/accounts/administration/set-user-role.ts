import { recordAuditEvent } from '../audit/record-audit-event.js';
import type { AccountRole } from '../identity/account.entity.js';
import type { AdminActor } from '../identity/admin-guard.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';
import type { AccountView } from './account-view.js';
import { updateAccountAsAdmin, type UpdateAccountAsAdminDeps } from './update-account-as-admin.js';

export interface SetUserRoleParams {
  readonly userId: string;
  /** `ADMIN` adds that role, `USER` takes it away. */
  readonly role: AccountRole;
}

/**
 * Makes somebody an administrator, or one like everybody else. Their sessions end, so that no token says otherwise.
 *
 * Setting it to what it is changes nothing.
 *
 * @throws as `updateAccountAsAdmin` says
 */
export function setUserRole(
  deps: UpdateAccountAsAdminDeps,
  by: AdminActor,
  { userId, role }: SetUserRoleParams,
): Promise<AccountView> {
  return updateAccountAsAdmin(deps, by, userId, async (em, account, { adminId, now }) => {
    if (account.roles.includes('ADMIN') === (role === 'ADMIN')) return [];
    account.roles = role === 'ADMIN' ? [...account.roles, 'ADMIN'] : account.roles.filter((each) => each !== 'ADMIN');
    recordAuditEvent(
      em,
      {
        action: role === 'ADMIN' ? 'role.granted' : 'role.revoked',
        actorId: adminId,
        subjectId: userId,
        detail: { role: 'ADMIN' },
      },
      now,
    );
    return revokeSessions(em, { account }, now);
  });
}
