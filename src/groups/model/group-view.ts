import type { Stored } from '../../database/index.js';
import { computeGroupState, hasUnrecordedDeadline, requiredCount } from './group-state.js';
import type { Group } from './group.entity.js';
import type { MemberView } from './member-view.js';
import { memberCount, type Counts } from './response-counts.js';
import type { ScoreView } from './score-view.js';

/** The stored columns of a group, from its entity or a row of a prepared statement. */
export interface StoredGroup extends Omit<Stored<Group>, 'counts'> {
  readonly counts: Counts;
}

/** A group as of one moment, for a caller who may see it. */
export interface GroupView extends StoredGroup {
  readonly requiredCount: number;
  readonly memberCount: number;
  readonly acceptedCount: number;
  /** Seen by someone who was invited to it and has not answered: they may know what it is, not who is in it. */
  readonly viewerIsInvitee: boolean;
  /** The caller's own place; undefined where it was not read along (see `findViewerMembership`). */
  readonly viewerMembership: MemberView | null | undefined;
  /** Undefined where it was not read along (see `findCompatibilityScore`). */
  readonly compatibilityScore: ScoreView | null | undefined;
}

export type PreloadedFields = Partial<Pick<GroupView, 'viewerMembership' | 'compatibilityScore' | 'viewerIsInvitee'>>;

/** The state that a group has now and since when, whether or not the passing of its deadline is recorded. */
export function currentState(group: StoredGroup, now: Date): Pick<StoredGroup, 'state' | 'stateChangedAt'> {
  const { state, stateChangedAt, respondBy } = group;
  if (respondBy === null || !hasUnrecordedDeadline(group, now)) return { state, stateChangedAt };
  const atDeadline = computeGroupState(group, group.counts, respondBy);
  return atDeadline === state ? { state, stateChangedAt } : { state: atDeadline, stateChangedAt: respondBy };
}

/** Copies, so that a view keeps saying what it said when the entity behind it changes. */
export function toGroupView(group: StoredGroup, now: Date, readAlong: PreloadedFields = {}): GroupView {
  const {
    id,
    name,
    description,
    quorum,
    respondBy,
    requiredAtDeadline,
    cancelledAt,
    createdAt,
    revision,
    answersRevision,
  } = group;
  const counts = { ...group.counts };
  return {
    id,
    name,
    description,
    quorum,
    respondBy,
    requiredAtDeadline,
    cancelledAt,
    createdAt,
    revision,
    answersRevision,
    ...currentState(group, now),
    counts,
    requiredCount: requiredCount(group, counts),
    memberCount: memberCount(counts),
    acceptedCount: counts.accepted,
    viewerIsInvitee: readAlong.viewerIsInvitee ?? false,
    viewerMembership: readAlong.viewerMembership,
    compatibilityScore: readAlong.compatibilityScore,
  };
}
