const DURATION_UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A whole number with a unit, as in `15m`. */
export const DURATION_PATTERN = /^(\d{1,6})([smhd])$/;

/** @throws RangeError for what is no `DURATION` */
export function parseDurationMs(text: string): number {
  const [, count, unit] = DURATION_PATTERN.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) throw new RangeError(`not a duration: ${text}`);
  return Number(count) * DURATION_UNITS_MS[unit];
}

function isUnit(text: string | undefined): text is keyof typeof DURATION_UNITS_MS {
  return text !== undefined && Object.hasOwn(DURATION_UNITS_MS, text);
}
