import { requireUser, type Actor, type UserView } from '../accounts/index.js';
import { statement, type Database } from '../database/index.js';
import { NotFoundError } from '../errors/index.js';

const VISIBLE_USER = statement<UserView>(
  'visible_user',
  `
  select a.id, a.username, a.display_name as "displayName", a.created_at as "createdAt"
  from account a
  where a.id = $1 and (
    a.id = $2
    or exists (
      select from member mine join member theirs using (group_id)
      where mine.user_id = $2 and theirs.user_id = a.id
    )
    or exists (select from account where id = $2 and 'ADMIN' = any(roles) and disabled_at is null)
  )`,
);

/**
 * Reads the public profile of a user who shares a group with the caller, with any responses. Administrators may read
 * all profiles, and users their own.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws ForbiddenError `SCOPE_REQUIRED` for an API client
 * @throws NotFoundError `USER_NOT_FOUND` when the user does not exist or is not visible to the caller
 */
export async function getUser(
  { database }: { readonly database: Database },
  actor: Actor,
  id: string,
): Promise<UserView> {
  const { userId } = requireUser(actor);
  const [user] = await database.query(VISIBLE_USER, [id, userId]);
  if (user === undefined) throw new NotFoundError('USER_NOT_FOUND');
  return user;
}
