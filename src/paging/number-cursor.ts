import type { CursorCodec } from './cursor.js';

/** At most nine digits, which always fit PostgreSQL's `integer`. */
const NUMBER = /^\d{1,9}$/;

/** For lists whose entries are numbered. */
export const NUMBER_CURSOR: CursorCodec<number> = {
  encode: (number) => [String(number)],
  decode: ([number = '', ...more]) => (NUMBER.test(number) && more.length === 0 ? Number(number) : null),
};
