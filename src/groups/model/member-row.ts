import { Account } from '../../accounts/index.js';
import { columnsSql, type Stored } from '../../database/index.js';
import type { StoredTime } from '../../time/stored-time.js';
import type { MemberView } from './group-view.js';
import { Member } from './member.entity.js';

/** The columns of an account that a list of members shows. */
export interface UserColumns extends Pick<Stored<Account>, 'username' | 'displayName'> {
  readonly registeredAt: StoredTime;
}

/** Row of a member, joined with the account. */
export interface MemberRow extends Omit<MemberView, 'user'>, UserColumns {}

const MEMBER_FIELDS_OF_GROUP = [
  'userId',
  'role',
  'status',
  'invitedById',
  'invitedAt',
  'respondedAt',
  'revision',
] as const satisfies readonly (keyof MemberView)[];

/** SQL for `UserColumns`, from the account as `a`. */
export const USER_COLUMNS = `${columnsSql(Account, 'a', ['username', 'displayName'])}, a.created_at as "registeredAt"`;

/** SQL for the columns of a `MemberRow`, from the member as `m` and the account as `a`. */
export const MEMBER_COLUMNS = `${columnsSql(Member, 'm')}, ${USER_COLUMNS}`;

/** SQL for the same columns without that of the group. */
export const MEMBER_COLUMNS_OF_GROUP = `${columnsSql(Member, 'm', MEMBER_FIELDS_OF_GROUP)}, ${USER_COLUMNS}`;

export function memberFromRow(row: Omit<MemberRow, 'groupId'>, groupId: string): MemberView {
  const { userId, role, status, invitedById, invitedAt, respondedAt, revision } = row;
  const user = { id: userId, username: row.username, displayName: row.displayName, createdAt: row.registeredAt };
  return { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision, user };
}
