import type { CursorCodec } from './cursor.js';

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

/**
 * Parameters (time, id) for the row comparison that finds the entries after a key. Without a key they sort before the
 * whole list, so one statement with one index reads every page: `$1 is null or …` would keep a generic plan from the
 * index.
 *
 * @param after null for the beginning of the list
 */
export function placeAfter(
  after: TimestampKey | null,
  order: 'ascending' | 'descending',
): readonly [at: Date | string, id: string] {
  if (after !== null) return [after.at, after.id];
  return order === 'ascending' ? FIRST : LAST;
}
