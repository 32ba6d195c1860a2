import { recordAuditEvent } from '../audit/record-audit-event.js';
import { OPERATOR } from '../identity/admin-guard.js';
import type { AccountView } from './account-view.js';
import { getUserId } from './get-user-id.js';
import { updateAccountAsAdmin, type UpdateAccountAsAdminDeps } from './update-account-as-admin.js';

/**
 * Makes an account an administrator's, for whoever runs commands. It counts at once: unlike `setUserRole` this leaves
 * the account's sessions. Granting it again changes nothing.
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
