import { computeGroupState, hasUnrecordedDeadline, requiredCount, type GroupState } from './group-state.js';
import type { StoredGroup } from './group-view.js';
import { ResponseCounts } from './response-counts.js';

/**
 * The state that a group would have after a change of its counts. Nothing is changed: the counts are a copy.
 *
 * As in the ledger, a deadline that has passed fixes what "everyone" means before the change.
 */
export function projectState(group: StoredGroup, now: Date, change: (counts: ResponseCounts) => void): GroupState {
  const { quorum, respondBy, cancelledAt } = group;
  const requiredAtDeadline = hasUnrecordedDeadline(group, now)
    ? requiredCount(group, group.counts)
    : group.requiredAtDeadline;
  const counts = Object.assign(new ResponseCounts(), group.counts);
  change(counts);
  return computeGroupState({ quorum, respondBy, requiredAtDeadline, cancelledAt }, counts, now);
}
