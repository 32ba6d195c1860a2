import type { Stored } from '../../database/index.js';
import type { GroupChange } from '../model/group-change.entity.js';
import type { GroupState } from '../model/group-state.js';
import type { Counts } from '../model/response-counts.js';

/** Read model of one revision of a group, for the history and the change feed. */
export interface GroupChangeView extends Omit<Stored<GroupChange>, 'stateBefore' | 'stateAfter' | 'counts'> {
  /** Null for the first revision. */
  readonly before: GroupState | null;
  readonly after: GroupState;
  readonly counts: Counts;
}
