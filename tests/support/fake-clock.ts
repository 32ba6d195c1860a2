import type { Clock } from '../../src/accounts/index.js';

/** A clock that advances only when a test moves it. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  moveTo(moment: Date): void;
  /** The time `ms` milliseconds from now, for example a deadline. */
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
