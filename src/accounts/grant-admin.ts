import { inTransaction } from '../database/index.js';
import { NotFoundError } from '../errors/index.js';
import { Account } from './account.entity.js';
import { recordAudit } from './audit/record-audit.js';
import type { AccountsDeps } from './deps.js';
import { usernameKey } from './username.js';

/**
 * Makes an account an administrator's; granting it again changes nothing.
 *
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export async function grantAdmin(deps: Pick<AccountsDeps, 'database' | 'clock'>, username: string): Promise<Account> {
  return inTransaction(deps.database, async (em) => {
    const account = await em.findOne(Account, { usernameKey: usernameKey(username) });
    if (account === null) throw new NotFoundError('USER_NOT_FOUND');
    if (account.roles.includes('ADMIN')) return account;
    account.roles = [...account.roles, 'ADMIN'];
    recordAudit(em, { action: 'role.granted', actorId: null, subjectId: account.id, detail: { role: 'ADMIN' } }, deps.clock.now());
    return account;
  });
}
