import type { ChangeCause } from './group-change.entity.js';
import type { GroupState } from './group-state.js';
import type { Counts, ResponseStatus } from './response-counts.js';

/** One revision of a group, as its history and the change feed show it. */
export interface GroupChangeView {
  readonly groupId: string;
  readonly revision: number;
  readonly cause: ChangeCause;
  readonly actorId: string | null;
  readonly apiKey: string | null;
  readonly subjectId: string | null;
  readonly status: ResponseStatus | null;
  /** Null for the first revision. */
  readonly before: GroupState | null;
  readonly after: GroupState;
  readonly counts: Counts;
  readonly at: Date;
}
