import { recordAuditEvent } from '../audit/record-audit-event.js';
import { OPERATOR } from '../identity/admin-guard.js';
import type { AccountView } from './account-view.js';
import { getUserId } from './get-user-id.js';
import { updateAccountAsAdmin, type UpdateAccountAsAdminDeps } from './update-account-as-admin.js';

/**
 * Grants the administrator role, for the operator. Takes effect immediately; unlike `setUserRole` it keeps the sessions
 * of the account. Repeating it changes nothing.
 *
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export async function grantAdmin(deps: UpdateAccountAsAdminDeps, username: string): Promise<AccountView> {
  return updateAccountAsAdmin(deps, OPERATOR, await getUserId(deps, username), (em, account, { adminId, now }) => {
    if (!account.roles.includes('ADMIN')) {
      account.roles = [...account.roles, 'ADMIN'];
      recordAuditEvent(
        em,
        { action: 'role.granted', actorId: adminId, subjectId: account.id, detail: { role: 'ADMIN' } },
        now,
      );
    }
    return Promise.resolve([]);
  });
}
