import { UnauthenticatedError } from '../../errors/index.js';
import { requireUser, type Actor, type UserActor } from './actor.js';

/**
 * One's own affairs are for oneself, signed in: not for whoever has just proved an address or a password, and not for
 * somebody else's token.
 *
 * @throws UnauthenticatedError the token's own problem; `TOKEN_INVALID` when it is somebody else's
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 */
export function requireSelf(actor: Actor, userId: string): UserActor {
  const user = requireUser(actor);
  if (user.userId !== userId)
    throw new UnauthenticatedError('TOKEN_INVALID', { message: 'This takes a token of that very person.' });
  return user;
}
