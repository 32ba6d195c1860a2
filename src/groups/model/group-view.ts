import type { UserView } from '../../accounts/index.js';
import { pickProperties, type Stored } from '../../database/index.js';
import type { StoredTime } from '../../time/stored-time.js';
import { computeGroupState, hasUnrecordedDeadline, requiredCount } from './group-state.js';
import type { Group } from './group.entity.js';
import type { Member } from './member.entity.js';
import { copyCounts, memberCount, type Counts } from './response-counts.js';
import type { ScoreView } from './score-view.js';

/** The stored columns of a group, from its entity or a row of a prepared statement. */
export interface StoredGroup extends Omit<Stored<Group>, 'counts'> {
  readonly counts: Counts;
}

/** Copies the stored properties besides the counts. Named one by one, because every read of a group copies them. */
export function copyGroupFields(group: Omit<StoredGroup, 'counts'>): Omit<StoredGroup, 'counts'> {
  const { id, name, description, quorum, respondBy, requiredAtDeadline, cancelledAt } = group;
  const { state, stateChangedAt, createdAt, revision, answersRevision } = group;
  return {
    id,
    name,
    description,
    quorum,
    respondBy,
    requiredAtDeadline,
    cancelledAt,
    state,
    stateChangedAt,
    createdAt,
    revision,
    answersRevision,
  };
}

/** The stored properties of a membership. */
const MEMBER_FIELDS = [
  'groupId',
  'userId',
  'role',
  'status',
  'invitedById',
  'invitedAt',
  'respondedAt',
  'revision',
] as const satisfies readonly (keyof StoredMember)[];

/** Read model of a group at one time, for a caller who may see it. */
export interface GroupView extends StoredGroup {
  readonly requiredCount: number;
  readonly memberCount: number;
  readonly acceptedCount: number;
  /** Whether the caller is only invited. Members and history are hidden from invitees. */
  readonly viewerIsInvitee: boolean;
  /** The caller's membership. Null for non-members; undefined when not loaded (see `findViewerMembership`). */
  readonly viewerMembership: MemberView | null | undefined;
  /** Null without a score; undefined when not loaded (see `findCompatibilityScore`). */
  readonly compatibilityScore: ScoreView | null | undefined;
  /** Version of the lists of members when the group was read; null when it is not known. See `membersVersion`. */
  readonly membersVersion: string | null;
}

export type PreloadedFields = Partial<
  Pick<GroupView, 'viewerMembership' | 'compatibilityScore' | 'viewerIsInvitee' | 'membersVersion'>
>;

/** Stored data of one user's membership in a group. */
export type StoredMember = Stored<Member>;

export interface MemberView extends Omit<StoredMember, 'invitedAt' | 'respondedAt'> {
  readonly invitedAt: StoredTime;
  readonly respondedAt: StoredTime | null;
  /** Undefined when the user was not loaded with the membership; load it by `userId`. */
  readonly user: UserView | undefined;
}

/** A membership with its group. */
export interface MembershipView extends MemberView {
  readonly group: GroupView;
}

/** Returns the state of a group at `now` and since when it has it, also for a deadline that is not recorded yet. */
export function currentState(group: StoredGroup, now: Date): Pick<StoredGroup, 'state' | 'stateChangedAt'> {
  const { state, stateChangedAt, respondBy } = group;
  if (respondBy === null || !hasUnrecordedDeadline(group, now)) return { state, stateChangedAt };
  const atDeadline = computeGroupState(group, group.counts, respondBy);
  return atDeadline === state ? { state, stateChangedAt } : { state: atDeadline, stateChangedAt: respondBy };
}

/** Copies the values, so that the view does not change when the entity does. */
export function toGroupView(group: StoredGroup, now: Date, preloaded: PreloadedFields = {}): GroupView {
  const counts = copyCounts(group.counts);
  return {
    ...copyGroupFields(group),
    ...currentState(group, now),
    counts,
    requiredCount: requiredCount(group, counts),
    memberCount: memberCount(counts),
    acceptedCount: counts.accepted,
    viewerIsInvitee: preloaded.viewerIsInvitee ?? false,
    viewerMembership: preloaded.viewerMembership,
    compatibilityScore: preloaded.compatibilityScore,
    membersVersion: preloaded.membersVersion ?? null,
  };
}

/** Copies the values, so that the view does not change when the entity does. */
export function toMemberView(member: Omit<MemberView, 'user'>, user?: UserView): MemberView {
  return { ...pickProperties(member, MEMBER_FIELDS), user };
}
