import type { CursorCodec } from '../../database/index.js';

/** At most nine digits, so that the number always fits PostgreSQL's `integer`. */
const NUMBER = /^\d{1,9}$/;

/** Cursor codec of lists whose entries are numbered without gaps. */
export const NUMBER_CURSOR: CursorCodec<number> = {
  write: (number) => [String(number)],
  read: ([number = '', ...more]) => (NUMBER.test(number) && more.length === 0 ? Number(number) : null),
};
