import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../async/durations.js';

const DURATION_UNITS_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** A whole number and a unit, such as `15m`. */
export const DURATION_PATTERN = /^(\d{1,6})([smhd])$/;

/** @throws RangeError when the text does not match `DURATION_PATTERN` */
export function parseDurationMs(text: string): number {
  const [, count, unit] = DURATION_PATTERN.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) throw new RangeError(`Invalid duration ${text}`);
  return Number(count) * DURATION_UNITS_MS[unit];
}

function isUnit(text: string | undefined): text is keyof typeof DURATION_UNITS_MS {
  return text !== undefined && Object.hasOwn(DURATION_UNITS_MS, text);
}
