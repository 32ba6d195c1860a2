import { Account, USER_FIELDS, type UserView } from '../../accounts/index.js';
import { columnsSql, createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';

interface VisibleUserKey {
  readonly userId: string;
  readonly callerId: string;
}

interface VisibleUser extends VisibleUserKey {
  readonly user: UserView;
}

export interface VisibleUserLoaders {
  /**
   * Loads the public profile of a user who shares a group with the caller, with any responses. Administrators may load
   * all profiles, and users their own. Null when the user does not exist or is not visible to the caller.
   */
  readonly visibleUser: BatchLoader<VisibleUserKey, VisibleUser>;
}

interface VisibleUserRow extends UserView {
  readonly callerId: string;
}

/** The subqueries are values, since the planner may evaluate `exists` by reading all members of all groups. */
const VISIBLE_USERS = statement<VisibleUserRow>(
  'visible_users',
  `
  select ${columnsSql(Account, 'a', USER_FIELDS)}, key.caller_id as "callerId"
  from unnest($1::uuid[], $2::uuid[]) as key (user_id, caller_id)
  join account a on a.id = key.user_id
  where a.id = key.caller_id
    or coalesce((
      select true from member mine join member theirs using (group_id)
      where mine.user_id = key.caller_id and theirs.user_id = a.id limit 1
    ), false)
    or coalesce((
      select disabled_at is null and 'ADMIN' = any(roles) from account where id = key.caller_id
    ), false)`,
);

export function createVisibleUserLoader(database: Database): VisibleUserLoaders['visibleUser'] {
  return createBatchLoader(
    async (keys: readonly VisibleUserKey[]) => {
      const userIds = keys.map(({ userId }) => userId);
      const callerIds = keys.map(({ callerId }) => callerId);
      const rows = await database.query(VISIBLE_USERS, [userIds, callerIds]);
      return rows.map(({ callerId, ...user }) => ({ userId: user.id, callerId, user }));
    },
    toCacheKey,
    toCacheKey,
  );
}

function toCacheKey({ userId, callerId }: VisibleUserKey): string {
  return `${userId} ${callerId}`;
}
