import { UnauthenticatedError } from '../../errors/index.js';
import { requireUser, type Actor, type UserActor } from './actor.js';

/**
 * Requires that the caller is signed in to this account. A proven address or password does not suffice, nor does the
 * token of another user.
 *
 * @throws UnauthenticatedError with the reason why the token was rejected; `TOKEN_INVALID` when it belongs to another
 *   user
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client
 */
export function requireSelf(actor: Actor, userId: string): UserActor {
  const user = requireUser(actor);
  if (user.userId !== userId)
    throw new UnauthenticatedError('TOKEN_INVALID', { message: 'This takes a token of that very person.' });
  return user;
}
