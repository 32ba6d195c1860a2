import { columnsSql } from '../../database/index.js';
import { toDate, type TimeText } from '../../time/stored-time.js';
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

/** The properties of a `GroupRow` that are times. */
type TimeName = 'respondBy' | 'cancelledAt' | 'stateChangedAt' | 'createdAt';

type TimesAsText<Row> = {
  readonly [Name in keyof Row]: Name extends TimeName ? TimeText | Exclude<Row[Name], Date> : Row[Name];
};

/** A `GroupRow` in JSON. */
export type GroupJson = TimesAsText<GroupRow>;

export function groupFromJson(json: GroupJson): StoredGroup {
  return groupFromRow({
    ...json,
    respondBy: json.respondBy && toDate(json.respondBy),
    cancelledAt: json.cancelledAt && toDate(json.cancelledAt),
    stateChangedAt: toDate(json.stateChangedAt),
    createdAt: toDate(json.createdAt),
  });
}
