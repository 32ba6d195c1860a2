import { requireUser, type Actor, type UserView } from '../accounts/index.js';
import { NotFoundError } from '../errors/index.js';
import type { VisibleUserLoaders } from '../groups/index.js';

/**
 * Reads the public profile of a user who shares a group with the caller, with any responses. Administrators may read
 * all profiles, and users their own.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client
 * @throws NotFoundError `USER_NOT_FOUND` when the user does not exist or is not visible to the caller
 */
export async function getUser(
  { loaders }: { readonly loaders: VisibleUserLoaders },
  actor: Actor,
  id: string,
): Promise<UserView> {
  const { userId: callerId } = requireUser(actor);
  const visible = await loaders.visibleUser({ userId: id, callerId });
  if (visible === null) throw new NotFoundError('USER_NOT_FOUND');
  return visible.user;
}
