import type { UserView } from '../../../accounts/index.js';
import { NotFoundError } from '../../../errors/index.js';

/**
 * Requires a user that a stored row refers to.
 *
 * @throws NotFoundError `USER_NOT_FOUND` when the account was deleted during the request
 */
export function requireFound(user: UserView | null): UserView {
  if (user === null) throw new NotFoundError('USER_NOT_FOUND');
  return user;
}
