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

/** The columns of a `MemberRow` but the group, in the order of `MEMBER_TUPLE`. */
export type MemberTuple = readonly [
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
];

/** SQL for a `MemberTuple` in JSON, from the member as `m` and the account as `a`. */
export const MEMBER_TUPLE = `json_build_array(m.user_id, m.role, m.status, m.invited_by_id, m.invited_at::text,
      m.responded_at::text, m.revision, a.username, a.display_name, a.created_at::text)`;

export function memberFromTuple(tuple: MemberTuple, groupId: string): MemberView {
  const [userId, role, status, invitedById, invitedAt, respondedAt, revision, username, displayName, createdAt] = tuple;
  const user = { id: userId, username, displayName, createdAt };
  return { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision, user };
}
