/** The last moment that RFC 3339 and PostgreSQL's reading of ISO 8601 both write with a year of four digits. */
const LATEST = new Date('9999-12-31T23:59:59.999Z');

/**
 * Checks a time that is to be stored. A time with an offset can be in year 9999 where it was written and in year 10000 in UTC,
 * so the check is on the moment, not on its text.
 *
 * @returns what is allowed, or null when the time can be stored
 */
export function futureTimeProblem(time: Date, now: Date): string | null {
  if (time <= now) return 'must be in the future';
  return time <= LATEST ? null : 'must be before the year 10000 in UTC';
}
