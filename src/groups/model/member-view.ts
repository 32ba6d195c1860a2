import type { UserView } from '../../accounts/index.js';
import type { Stored } from '../../database/index.js';
import type { GroupView } from './group-view.js';
import type { Member } from './member.entity.js';

/** The stored columns of a membership. */
export type StoredMember = Stored<Member>;

export interface MemberView extends StoredMember {
  /** Undefined where it was not read along; then read it by `userId`. */
  readonly user: UserView | undefined;
  /** Absent where it was not read along; then read it by `groupId`. */
  readonly group?: GroupView;
}

/** Copies, so that a view keeps saying what it said when the entity behind it changes. */
export function toMemberView(member: StoredMember, user?: UserView): MemberView {
  const { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision } = member;
  return { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision, user };
}
