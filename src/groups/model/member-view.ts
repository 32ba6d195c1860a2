import type { UserView } from '../../accounts/index.js';
import type { Stored } from '../../database/index.js';
import type { Member } from './member.entity.js';

/** Stored data of one user's membership in a group. */
export type StoredMember = Stored<Member>;

export interface MemberView extends StoredMember {
  /** Undefined when the user was not loaded with the membership; load it by `userId`. */
  readonly user: UserView | undefined;
}

/** Copies the values, so that the view does not change when the entity does. */
export function toMemberView(member: StoredMember, user?: UserView): MemberView {
  const { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision } = member;
  return { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision, user };
}
