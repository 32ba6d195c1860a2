import type { CursorForm } from './connection-page.js';

/** Where an entry stands in a list that is ordered by time, then by id. */
export interface Moment {
  readonly at: Date;
  readonly id: string;
}

const MILLISECONDS = /^\d{1,15}$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Nothing but what such a list gives: a time that PostgreSQL cannot hold never reaches it. */
export const MOMENT_CURSOR: CursorForm<Moment> = {
  write: ({ at, id }) => [String(at.getTime()), id],
  read: ([time = '', id = '', ...more]) =>
    MILLISECONDS.test(time) && UUID.test(id) && more.length === 0 ? { at: new Date(Number(time)), id } : null,
};
