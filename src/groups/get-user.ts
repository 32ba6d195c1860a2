import { requireUser, type Actor, type UserView } from '../accounts/index.js';
import { statement } from '../database/index.js';
import { NotFoundError } from '../errors/index.js';
import type { GroupsDeps } from './deps.js';

const USER_SEEN_BY = statement<UserView>(
  'user_seen_by',
  `
  select a.id, a.username, a.display_name as "displayName", a.created_at as "createdAt"
  from account a
  where a.id = $1 and (
    a.id = $2
    or exists (select from member mine join member theirs using (group_id) where mine.user_id = $2 and theirs.user_id = a.id)
    or exists (select from account where id = $2 and 'ADMIN' = any(roles) and disabled_at is null)
  )`,
);

/**
 * The public profile of a person who shares a group with the caller, whatever either has answered there; administrators
 * may look at anybody's, and everyone at their own.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws ForbiddenError `SCOPE_REQUIRED` for a program
 * @throws NotFoundError `USER_NOT_FOUND` when there is none, or none that the caller may know of
 */
export async function getUser({ database }: Pick<GroupsDeps, 'database'>, actor: Actor, id: string): Promise<UserView> {
  const { userId } = requireUser(actor);
  const [user] = await database.query(USER_SEEN_BY, [id, userId]);
  if (user === undefined) throw new NotFoundError('USER_NOT_FOUND');
  return user;
}
