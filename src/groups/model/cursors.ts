import type { CursorCodec } from '../../database/index.js';

/** Nine digits at most: always an integer to PostgreSQL. */
const NUMBER = /^\d{1,9}$/;

/** For lists whose entries are numbered. */
export const NUMBER_CURSOR: CursorCodec<number> = {
  write: (number) => [String(number)],
  read: ([number = '', ...more]) => (NUMBER.test(number) && more.length === 0 ? Number(number) : null),
};
