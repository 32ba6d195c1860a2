import { columnsSql } from '../../database/index.js';
import { copyGroupFields, type StoredGroup } from './group-view.js';
import { Group } from './group.entity.js';
import { copyCounts, ResponseCounts, type Counts } from './response-counts.js';

/** Row of a group, with its counts as columns. */
export interface GroupRow extends Omit<StoredGroup, 'counts'>, Counts {}

/** SQL for the columns of a `GroupRow`, from the group as `g`. */
export const GROUP_COLUMNS = `${columnsSql(Group, 'g')}, ${columnsSql(ResponseCounts, 'g')}`;

export function groupFromRow(row: GroupRow): StoredGroup {
  return { ...copyGroupFields(row), counts: copyCounts(row) };
}
