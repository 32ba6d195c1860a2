import type { UserView } from '../../accounts/index.js';
import type { GroupView } from './group-view.js';
import type { GroupRole } from './member.entity.js';
import type { ResponseStatus } from './response-counts.js';

/** What is stored of one user's place in a group. */
export interface StoredMember {
  readonly groupId: string;
  readonly userId: string;
  readonly role: GroupRole;
  readonly status: ResponseStatus;
  /** Null for the creator, and once the inviter's account is gone. */
  readonly invitedById: string | null;
  readonly invitedAt: Date;
  /** Null until the first answer. */
  readonly respondedAt: Date | null;
  readonly revision: number;
}

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
