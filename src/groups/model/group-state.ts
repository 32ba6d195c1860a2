import { memberCount, type Counts, type ResponseStatus } from './response-counts.js';

export const GROUP_STATES = ['FORMING', 'CONFIRMED', 'FAILED', 'EXPIRED', 'CANCELLED'] as const;
export type GroupState = (typeof GROUP_STATES)[number];

/** Even "everyone" is more than the creator alone. */
const FEWEST_FOR_EVERYONE = 2;

/** What an owner declared about a group, and what has become of it. */
export interface GroupRule {
  /** How many must accept; null for everyone. */
  readonly quorum: number | null;
  readonly respondBy: Date | null;
  /** What was required when the deadline passed, once that is recorded. */
  readonly requiredAtDeadline: number | null;
  readonly cancelledAt: Date | null;
}

/** Everyone who was asked: members, and invited addresses whether or not their invitation has expired. */
export function invitedCount(counts: Counts): number {
  return memberCount(counts) + counts.openInvitations + counts.lapsedInvitations;
}

/** How many acceptances confirm the group. */
export function requiredCount(rule: GroupRule, counts: Counts): number {
  if (rule.quorum !== null) return rule.quorum;
  return rule.requiredAtDeadline ?? Math.max(FEWEST_FOR_EVERYONE, invitedCount(counts));
}

/** A deadline counts as passed from its very millisecond on. */
export function isPastDeadline(rule: Pick<GroupRule, 'respondBy'>, now: Date): boolean {
  return rule.respondBy !== null && rule.respondBy <= now;
}

/** A deadline that has passed, but that neither the job nor a writer has recorded yet. A cancelled group has none to record. */
export function hasUnrecordedDeadline(rule: GroupRule, now: Date): boolean {
  return rule.cancelledAt === null && rule.requiredAtDeadline === null && isPastDeadline(rule, now);
}

/** Once a group is cancelled, or its deadline has passed, declining is the only answer that it takes. */
export function acceptsResponse(rule: GroupRule, status: ResponseStatus, now: Date): boolean {
  return status === 'DECLINED' || (rule.cancelledAt === null && !isPastDeadline(rule, now));
}

/**
 * What the answers add up to: the only place where a state is decided.
 *
 * The first line that holds wins, so a group that is confirmed stays so past its deadline, and one
 * that asked too few people is still forming rather than failed.
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
