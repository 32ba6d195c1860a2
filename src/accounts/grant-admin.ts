import { inTransaction } from '../database/index.js';
import { NotFoundError } from '../errors/index.js';
import { Account } from './account.entity.js';
import type { AccountsDeps } from './deps.js';
import { usernameKey } from './username.js';

/**
 * Makes an account an administrator's; granting it again changes nothing.
 *
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export async function grantAdmin(deps: Pick<AccountsDeps, 'database'>, username: string): Promise<Account> {
  return inTransaction(deps.database, async (em) => {
    const account = await em.findOne(Account, { usernameKey: usernameKey(username) });
    if (account === null) throw new NotFoundError('USER_NOT_FOUND');
    if (!account.roles.includes('ADMIN')) account.roles = [...account.roles, 'ADMIN'];
    return account;
  });
}
