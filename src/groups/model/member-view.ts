import type { UserView } from '../../accounts/index.js';
import type { GroupRole } from './member.entity.js';
import type { ResponseStatus } from './response-counts.js';

/** Stored data of one user's membership in a group. */
export interface StoredMember {
  readonly groupId: string;
  readonly userId: string;
  readonly role: GroupRole;
  readonly status: ResponseStatus;
  /** Null for the creator, and after the inviter's account was deleted. */
  readonly invitedById: string | null;
  readonly invitedAt: Date;
  /** Null before the first response. */
  readonly respondedAt: Date | null;
  readonly revision: number;
}

export interface MemberView extends StoredMember {
  /** Undefined when the user was not loaded with the membership; load it by `userId`. */
  readonly user: UserView | undefined;
}

/** Copies the values, so that the view does not change when the entity does. */
export function toMemberView(member: StoredMember, user?: UserView): MemberView {
  const { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision } = member;
  return { groupId, userId, role, status, invitedById, invitedAt, respondedAt, revision, user };
}
