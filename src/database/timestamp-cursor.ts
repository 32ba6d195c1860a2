import type { CursorCodec } from './connection-page.js';

/** Where an entry stands in a list that is ordered by time, then by id. */
export interface TimestampKey {
  readonly at: Date;
  readonly id: string;
}

const MILLISECONDS = /^\d{1,15}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Nothing but what such a list gives: a time that PostgreSQL cannot hold never reaches it. */
export const TIMESTAMP_CURSOR: CursorCodec<TimestampKey> = {
  write: ({ at, id }) => [String(at.getTime()), id],
  read: ([time = '', id = '', ...more]) =>
    MILLISECONDS.test(time) && UUID.test(id) && more.length === 0 ? { at: new Date(Number(time)), id } : null,
};

/** Sorts before every entry there can be, and after. */
const FIRST = ['-infinity', '00000000-0000-0000-0000-000000000000'] as const;
const LAST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/**
 * Parameters (time, id) for the comparison that finds the entries after a cursor. Without one they stand before the whole list, so
 * that a first page is read by the same statement, and by the same index: `$1 is null or …` keeps a generic plan from it.
 */
export function placeAfter(
  after: TimestampKey | null,
  order: 'ascending' | 'descending',
): readonly [at: Date | string, id: string] {
  if (after !== null) return [after.at, after.id];
  return order === 'ascending' ? FIRST : LAST;
}
