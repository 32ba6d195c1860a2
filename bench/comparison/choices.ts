/** Which user, group and status each request is about: the same for every subject, and repeatable. */

export const USERS = 10_000;
const GROUPS = 2_000;
export const SEATS = 20;
export const PASSWORD = 'password123';
/** All writes of the hot group go to it. */
const HOT_GROUP = 7;

function scatter(i: number, below: number, salt = 0): number {
  return ((Math.imul(i + 1, 2_654_435_761) ^ Math.imul(salt + 7, 40_503)) >>> 0) % below;
}

export const userOf = (i: number): number => 1 + scatter(i, USERS);
export const groupOf = (i: number): number => 1 + scatter(i, GROUPS, 1);
export const memberOf = (group: number, seat: number): number => 1 + (((group - 1) * SEATS + seat * 7) % USERS);
/** A member of the request's group. */
export const readerOf = (i: number): number => memberOf(groupOf(i), scatter(i, SEATS, 9));
const scoreOf = (group: number): number => ((group * 37) % 1_000) / 10;
export const isScore = (value: unknown, i: number): boolean =>
  typeof value === 'number' && Math.abs(value - scoreOf(groupOf(i))) < 0.01;

/** Each pass over the groups moves every status on, so that each write is a change. */
export interface Write {
  readonly group: number;
  readonly seat: number;
  readonly user: number;
  readonly step: number;
}

export function writeOf(i: number): Write {
  const target = i % GROUPS;
  const group = 1 + target;
  const seat = scatter(target, SEATS, 11);
  return { group, seat, user: memberOf(group, seat), step: scatter(target, 3, 4) + Math.floor(i / GROUPS) };
}

export function hotWriteOf(i: number): Write {
  const seat = i % SEATS;
  return { group: HOT_GROUP, seat, user: memberOf(HOT_GROUP, seat), step: Math.floor(i / SEATS) };
}

const PRODUCT_STATUSES = ['accepted', 'declined', 'tentative'] as const;
const PLAIN_STATUSES = ['pending', 'accepted', 'declined'] as const;

export const productStatus = ({ step }: Write): string => PRODUCT_STATUSES[step % 3] ?? 'accepted';
export const plainStatus = ({ step }: Write): string => PLAIN_STATUSES[step % 3] ?? 'pending';
/** Row number of a membership in the tables of the peers. */
export const membershipOf = ({ group, seat }: Write): number => (group - 1) * SEATS + seat + 1;
