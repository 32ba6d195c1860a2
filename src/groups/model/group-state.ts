import { memberCount, ResponseCounts, type Counts, type ResponseStatus } from './response-counts.js';

export const GROUP_STATES = ['FORMING', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
export type GroupState = (typeof GROUP_STATES)[number];

/** Without a quorum, a group whose only member is its creator is not confirmed. */
const MIN_REQUIRED_WITHOUT_QUORUM = 2;

/** The part of a group that, with its counts and the time, decides its state. */
export interface GroupRule {
  /** Acceptances required to confirm the group. Null requires all invited people. */
  readonly quorum: number | null;
  /** Null without a deadline. */
  readonly respondBy: Date | null;
  /** Acceptances required when the deadline passed. Null until the deadline is recorded. */
  readonly requiredAtDeadline: number | null;
  /** Null while the group is not cancelled. */
  readonly cancelledAt: Date | null;
}

/** Number of members and of unanswered invitations, including expired ones. */
export function invitedCount(counts: Counts): number {
  return memberCount(counts) + counts.openInvitations + counts.lapsedInvitations;
}

/** Number of acceptances that confirm the group. */
export function requiredCount(rule: GroupRule, counts: Counts): number {
  if (rule.quorum !== null) return rule.quorum;
  return rule.requiredAtDeadline ?? Math.max(MIN_REQUIRED_WITHOUT_QUORUM, invitedCount(counts));
}

/** Whether the deadline has passed. The deadline itself counts as passed. */
export function isPastDeadline(rule: Pick<GroupRule, 'respondBy'>, now: Date): boolean {
  return rule.respondBy !== null && rule.respondBy <= now;
}

/** Whether the deadline has passed without being recorded yet. Deadlines of cancelled groups are never recorded. */
export function hasUnrecordedDeadline(rule: GroupRule, now: Date): boolean {
  return rule.cancelledAt === null && rule.requiredAtDeadline === null && isPastDeadline(rule, now);
}

/** Whether a group accepts a response. After its deadline or cancellation a group accepts only DECLINED. */
export function acceptsResponse(rule: GroupRule, status: ResponseStatus, now: Date): boolean {
  return status === 'DECLINED' || (rule.cancelledAt === null && !isPastDeadline(rule, now));
}

/**
 * Computes the state of a group from its rule and counts. All states are decided here.
 *
 * The first matching line wins: a confirmed group stays CONFIRMED after its deadline, and a group that has invited
 * fewer people than required is FORMING, not FAILED.
 */
export function computeGroupState(rule: GroupRule, counts: Counts, now: Date): GroupState {
  const required = requiredCount(rule, counts);
  const stillOpen = counts.pending + counts.tentative + counts.openInvitations;
  if (rule.cancelledAt !== null) return 'CANCELLED';
  if (counts.accepted >= required) return 'CONFIRMED';
  if (isPastDeadline(rule, now)) return 'EXPIRED';
  if (invitedCount(counts) >= required && counts.accepted + stillOpen < required) return 'FAILED';
  return 'FORMING';
}

/**
 * Computes the state that a group would have after a change of its counts. Changes nothing: `change` receives a copy.
 *
 * A deadline that has passed unrecorded fixes the required count before the change, as in `GroupLedger.record`.
 */
export function projectState(
  group: GroupRule & { readonly counts: Counts },
  now: Date,
  change: (counts: ResponseCounts) => void,
): GroupState {
  const { quorum, respondBy, cancelledAt } = group;
  const requiredAtDeadline = hasUnrecordedDeadline(group, now)
    ? requiredCount(group, group.counts)
    : group.requiredAtDeadline;
  const counts = Object.assign(new ResponseCounts(), group.counts);
  change(counts);
  return computeGroupState({ quorum, respondBy, requiredAtDeadline, cancelledAt }, counts, now);
}
