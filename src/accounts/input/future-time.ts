/** Latest time with a four-digit year, as both RFC 3339 and the ISO 8601 input of PostgreSQL require. */
const LATEST = new Date('9999-12-31T23:59:59.999Z');

/**
 * Validates a time that is to be stored. Checks the time in UTC, because a time with an offset can have the year 9999
 * as written and 10000 in UTC.
 *
 * @returns what is allowed, or null when the time is valid
 */
export function futureTimeProblem(time: Date, now: Date): string | null {
  if (time <= now) return 'must be in the future';
  return time <= LATEST ? null : 'must be before the year 10000 in UTC';
}
