import type { Database } from '../../database/index.js';
import { NotFoundError } from '../../errors/index.js';
import { Account } from '../identity/account.entity.js';
import { usernameKey } from '../input/username.js';

export interface GetUserIdDeps {
  readonly database: Database;
}

/**
 * Gets the id of the account with this username, for CLI commands.
 *
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export async function getUserId({ database }: GetUserIdDeps, username: string): Promise<string> {
  const account = await database.fork().findOne(Account, { usernameKey: usernameKey(username) });
  if (account === null) throw new NotFoundError('USER_NOT_FOUND');
  return account.id;
}
