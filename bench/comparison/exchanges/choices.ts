/** Which user, group and status each request is about: the same for every subject, and repeatable. */
import type { Operation } from './exchange.js';

export const USERS = 10_000;
const GROUPS = 2_000;
/** Number of statuses that a member goes through in turn. */
const STATUSES = 3;
export const SEATS = 20;
export const PASSWORD = 'password123';
export const NEW_PASSWORD = 'a password of the benchmark';
/** All writes of the hot group go to it. */
const HOT_GROUP = 7;

function scatter(i: number, below: number, salt = 0): number {
  return ((Math.imul(i + 1, 2_654_435_761) ^ Math.imul(salt + 7, 40_503)) >>> 0) % below;
}

/** Coprime to the numbers of users and groups, so that every period contains each of them equally often. */
const STRIDE = 7_919;
/** Groups whose members are the same users in the same seats. */
const GROUPS_APART = USERS / SEATS;

export const userOf = (i: number): number => 1 + ((i * STRIDE) % USERS);
export const groupOf = (i: number): number => 1 + ((i * STRIDE) % GROUPS);
const memberOf = (group: number, seat: number): number => 1 + (((group - 1) * SEATS + seat * 7) % USERS);

/** A member of the request's group. A period of requests contains every user. */
export function readerOf(i: number): number {
  const group = groupOf(i);
  const pass = Math.floor(i / GROUPS) + Math.floor((group - 1) / GROUPS_APART) * (USERS / GROUPS);
  return memberOf(group, pass % SEATS);
}

/** A user who is not in the group. */
export const strangerOf = (group: number): number => 1 + (((group - 1) * SEATS + 1) % USERS);

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
  return { group, seat, user: memberOf(group, seat), step: scatter(target, STATUSES, 4) + Math.floor(i / GROUPS) };
}

export function hotWriteOf(i: number): Write {
  const seat = i % SEATS;
  return { group: HOT_GROUP, seat, user: memberOf(HOT_GROUP, seat), step: Math.floor(i / SEATS) };
}

const PRODUCT_STATUSES = ['accepted', 'declined', 'tentative'] as const;
const PLAIN_STATUSES = ['pending', 'accepted', 'declined'] as const;

export const productStatus = ({ step }: Write): string => PRODUCT_STATUSES[step % STATUSES] ?? 'accepted';
export const plainStatus = ({ step }: Write): string => PLAIN_STATUSES[step % STATUSES] ?? 'pending';
/** Row number of a membership in the tables of the peers. */
export const membershipOf = ({ group, seat }: Write): number => (group - 1) * SEATS + seat + 1;

/** Number of different requests of an operation, which is also the number of different tokens that reads show. */
export function periodOf(operation: Operation): number {
  if (operation === 'register') return Number.POSITIVE_INFINITY;
  if (operation === 'status') return GROUPS * STATUSES;
  return operation === 'hot-group' ? SEATS * STATUSES : USERS;
}
