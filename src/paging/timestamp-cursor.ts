import type { CursorCodec } from './cursor.js';
import type { PageQuery } from './page-query.js';

/** The sort key of a list that is ordered by time, then by id. */
export interface TimestampKey {
  readonly at: Date;
  readonly id: string;
}

const MILLISECONDS = /^\d{1,15}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Decodes only keys that such a list can have: a time out of PostgreSQL's range does not reach a statement. */
export const TIMESTAMP_CURSOR: CursorCodec<TimestampKey> = {
  encode: ({ at, id }) => [String(at.getTime()), id],
  decode: ([time = '', id = '', ...more]) =>
    MILLISECONDS.test(time) && UUID.test(id) && more.length === 0 ? { at: new Date(Number(time)), id } : null,
};

/** Sort before and after every possible entry. */
const FIRST = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const;
const LAST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

type Bound = readonly [at: Date | string, id: string];

/**
 * Parameters (time, id, time, id) for the row comparisons that find the entries between two keys, the earlier one
 * first. Without a key they lie outside the whole list, so one statement with one index reads every page: `$1 is null
 * or …` would keep a generic plan from the index.
 *
 * @param order the order of the list
 */
export function rangeOf(
  { after, before }: Pick<PageQuery<TimestampKey>, 'after' | 'before'>,
  order: 'ascending' | 'descending',
): readonly [...Bound, ...Bound] {
  const [earlier, later] = order === 'ascending' ? [after, before] : [before, after];
  return [...boundOf(earlier, FIRST), ...boundOf(later, LAST)];
}

function boundOf(key: TimestampKey | null, otherwise: Bound): Bound {
  return key === null ? otherwise : [key.at, key.id];
}

/** Parameters as `rangeOf` returns them, as one array for each column, for a statement that reads several pages. */
export function rangeColumns(
  pages: readonly Pick<PageQuery<TimestampKey>, 'after' | 'before'>[],
  order: 'ascending' | 'descending',
): readonly (readonly (Date | string)[])[] {
  const ranges = pages.map((page) => rangeOf(page, order));
  return ([0, 1, 2, 3] as const).map((column) => ranges.map((range) => range[column]));
}

/** Text that identifies a range. */
export function rangeKey({ after, before }: Pick<PageQuery<TimestampKey>, 'after' | 'before'>): string {
  return [after, before].map((key) => (key === null ? '' : `${key.at.getTime()} ${key.id}`)).join(' ');
}
