import type { UserView } from '../../../accounts/index.js';
import { NotFoundError } from '../../../errors/index.js';

/**
 * For a person whom something stored refers to: gone only when they were deleted in the middle of the request.
 *
 * @throws NotFoundError `USER_NOT_FOUND`
 */
export function requireFound(user: UserView | null): UserView {
  if (user === null) throw new NotFoundError('USER_NOT_FOUND');
  return user;
}
