import type { Stored } from '../../database/index.js';
import type { GroupChange } from './group-change.entity.js';
import type { GroupState } from './group-state.js';
import type { Counts } from './response-counts.js';

/** One revision of a group, as its history and the change feed show it. */
export interface GroupChangeView extends Omit<Stored<GroupChange>, 'stateBefore' | 'stateAfter' | 'counts'> {
  /** Null for the first revision. */
  readonly before: GroupState | null;
  readonly after: GroupState;
  readonly counts: Counts;
}
