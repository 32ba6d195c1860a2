import type { Clock } from '../../src/accounts/index.js';

/** A clock that stands still until it is told otherwise. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  moveTo(moment: Date): void;
  /** The moment that is `ms` from now: a deadline, say. */
  in(ms: number): Date;
}

export function fakeClock(start = new Date('2026-03-01T12:00:00.000Z')): FakeClock {
  let nowMs = start.getTime();
  return {
    now: () => new Date(nowMs),
    advance(ms) {
      nowMs += ms;
    },
    moveTo(moment) {
      nowMs = moment.getTime();
    },
    in: (ms) => new Date(nowMs + ms),
  };
}
