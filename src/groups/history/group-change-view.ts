import type { ChangeCause } from '../model/group-change.entity.js';
import type { GroupState } from '../model/group-state.js';
import type { Counts, ResponseStatus } from '../model/response-counts.js';

/** Read model of one revision of a group, for the history and the change feed. */
export interface GroupChangeView {
  readonly groupId: string;
  readonly revision: number;
  readonly cause: ChangeCause;
  /** Null for an API client, for the system, and after the account was deleted. */
  readonly actorId: string | null;
  /** Name of the API key; null for users and the system. */
  readonly apiKey: string | null;
  /** Null when the change concerns the whole group. */
  readonly subjectId: string | null;
  /** The subject's response after the change; null when there is none. */
  readonly status: ResponseStatus | null;
  /** Null for the first revision. */
  readonly before: GroupState | null;
  readonly after: GroupState;
  readonly counts: Counts;
  readonly at: Date;
}
