import type { GroupView } from '../model/group-view.js';

/** What a change to a group leads to. */
export interface GroupPayload {
  readonly group: GroupView;
}
