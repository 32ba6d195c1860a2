import { Account } from '../../accounts/index.js';
import { columnsSql, type Stored } from '../../database/index.js';
import type { StoredTime, TimeText } from '../../time/stored-time.js';
import type { MemberView } from './group-view.js';
import { Member, type GroupRole } from './member.entity.js';
import type { ResponseStatus } from './response-counts.js';

/** The columns of an account that a list of members shows. */
export interface UserColumns extends Pick<Stored<Account>, 'username' | 'displayName'> {
  readonly registeredAt: StoredTime;
}

/** Row of a member, joined with the account. */
export interface MemberRow extends Omit<MemberView, 'user'>, UserColumns {}

/** SQL for `UserColumns`, from the account as `a`. */
export const USER_COLUMNS = `${columnsSql(Account, 'a', ['username', 'displayName'])}, a.created_at as "registeredAt"`;

/** SQL for the columns of a `MemberRow`, from the member as `m` and the account as `a`. */
export const MEMBER_COLUMNS = `${columnsSql(Member, 'm')}, ${USER_COLUMNS}`;

export function memberFromRow(row: MemberRow): MemberView {
  const { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision } = row;
  const user = { id: userId, username: row.username, displayName: row.displayName, createdAt: row.registeredAt };
  return { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision, user };
}

/** The columns of the members of a page, with one value for each member; null for a page without members. */
type Columns<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: readonly Values[Index][] | null;
};

/** The columns of `MemberRow` but the group, in the order of `MEMBER_PAGE_COLUMNS`. */
export type MemberPage = Columns<
  [
    userId: string,
    role: GroupRole,
    status: ResponseStatus,
    invitedById: string | null,
    invitedAt: TimeText,
    respondedAt: TimeText | null,
    revision: number,
    username: string,
    displayName: string | null,
    registeredAt: TimeText,
  ]
>;

/** SQL for the columns of a `MemberPage`, from the member as `m` and the account as `a`. */
export const MEMBER_PAGE_COLUMNS = `m.user_id, m.role, m.status, m.invited_by_id, m.invited_at, m.responded_at,
      m.revision, a.username, a.display_name, a.created_at`;

/** SQL for a `MemberPage` in JSON, from rows of `MEMBER_PAGE_COLUMNS` in their order. */
export const MEMBER_PAGE = `json_build_array(json_agg(user_id), json_agg(role), json_agg(status),
      json_agg(invited_by_id), json_agg(invited_at), json_agg(responded_at), json_agg(revision),
      json_agg(username), json_agg(display_name), json_agg(created_at))`;

/** @throws TypeError when a column has fewer values than the first one */
export function membersFromPage(page: MemberPage, groupId: string): MemberView[] {
  const [userIds, roles, statuses, inviters, invited, responded, revisions, usernames, displayNames, registered] = page;
  return (userIds ?? []).map((userId, index) => ({
    groupId,
    userId,
    role: valueAt(roles, index),
    status: valueAt(statuses, index),
    invitedById: valueAt(inviters, index),
    invitedAt: valueAt(invited, index),
    respondedAt: valueAt(responded, index),
    revision: valueAt(revisions, index),
    user: {
      id: userId,
      username: valueAt(usernames, index),
      displayName: valueAt(displayNames, index),
      createdAt: valueAt(registered, index),
    },
  }));
}

function valueAt<T>(column: readonly T[] | null, index: number): T {
  const value = column?.[index];
  if (value === undefined) throw new TypeError(`A column of a page of members has no value ${String(index)}`);
  return value;
}
