import { recordAuditEvent } from '../audit/record-audit-event.js';
import type { AccountRole } from '../identity/account.entity.js';
import type { AdminActor } from '../identity/admin-guard.js';
import { revokeSessions } from '../revocation/revoke-sessions.js';
import type { AccountView } from './account-view.js';
import { updateAccountAsAdmin, type UpdateAccountAsAdminDeps } from './update-account-as-admin.js';

export interface SetUserRoleParams {
  readonly userId: string;
  /** `ADMIN` grants that role, `USER` revokes it. */
  readonly role: AccountRole;
}

/**
 * Grants or revokes the administrator role. Revokes the sessions of the account, so that no token carries the old
 * roles. Repeating it changes nothing.
 *
 * @throws as `updateAccountAsAdmin`
 */
export function setUserRole(
  deps: UpdateAccountAsAdminDeps,
  actor: AdminActor,
  { userId, role }: SetUserRoleParams,
): Promise<AccountView> {
  return updateAccountAsAdmin(deps, actor, userId, async (em, account, { adminId, now }) => {
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
