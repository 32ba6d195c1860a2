import type { CursorForm } from '../database/index.js';

/** Nine digits at most: always an integer to PostgreSQL. */
const NUMBER = /^\d{1,9}$/;
const MILLISECONDS = /^\d{1,15}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** For lists whose entries are numbered. */
export const NUMBER_CURSOR: CursorForm<number> = {
  write: (number) => [String(number)],
  read: ([number = '', ...more]) => (NUMBER.test(number) && more.length === 0 ? Number(number) : null),
};

/** Where an entry stands in a list that is ordered by time, then by id. */
export interface Moment {
  readonly at: Date;
  readonly id: string;
}

export const MOMENT_CURSOR: CursorForm<Moment> = {
  write: ({ at, id }) => [String(at.getTime()), id],
  read: ([time = '', id = '', ...more]) =>
    MILLISECONDS.test(time) && UUID.test(id) && more.length === 0 ? { at: new Date(Number(time)), id } : null,
};
