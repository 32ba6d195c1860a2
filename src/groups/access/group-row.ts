import { columnsSql } from '../../database/index.js';
import type { StoredGroup } from '../model/group-view.js';
import { Group } from '../model/group.entity.js';
import { ResponseCounts, type Counts } from '../model/response-counts.js';

/** A group's own columns, its counts side by side with the rest. */
export interface GroupRow extends Omit<StoredGroup, 'counts'>, Counts {}

/** The columns of a `GroupRow`, from the group as `g`. */
export const GROUP_COLUMNS = `${columnsSql(Group, 'g')}, ${columnsSql(ResponseCounts, 'g')}`;

export function groupFromRow(row: GroupRow): StoredGroup {
  const {
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
  } = row;
  const { revision, answersRevision, pending, accepted, tentative, declined, openInvitations, lapsedInvitations } = row;
  const counts = { pending, accepted, tentative, declined, openInvitations, lapsedInvitations };
  const rule = { quorum, respondBy, requiredAtDeadline, cancelledAt };
  return { id, name, description, ...rule, state, stateChangedAt, createdAt, revision, answersRevision, counts };
}
