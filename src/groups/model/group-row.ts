import { columnsSql } from '../../database/index.js';
import type { StoredGroup } from './group-view.js';
import { Group } from './group.entity.js';
import { ResponseCounts, type Counts } from './response-counts.js';

/** Row of a group, with its counts as columns. */
export interface GroupRow extends Omit<StoredGroup, 'counts'>, Counts {}

/** SQL for the columns of a `GroupRow`, from the group as `g`. */
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
