import postgresDate from 'postgres-date';

declare const TIME_TEXT: unique symbol;

/**
 * A time as PostgreSQL prints it: `2030-01-31 18:00:00.123456+00` as text, `2030-01-31T18:00:00.123456+00:00` in JSON.
 */
export type TimeText = string & { readonly [TIME_TEXT]: true };

/** A time of an entity, or of a row that is only shown to clients and whose times are therefore not parsed. */
export type StoredTime = Date | TimeText;

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- its types are those of an ES module
const parseDate = postgresDate as unknown as typeof postgresDate.default;

const UTC_SUFFIX = '+00';
const UTC_SUFFIX_IN_JSON = '+00:00';
const DATE_LENGTH = '2030-01-31'.length;
const TIME_START = '2030-01-31 '.length;
const SECONDS_END = '2030-01-31 18:00:00'.length;
const FRACTION_START = '2030-01-31 18:00:00.'.length;
const MILLISECONDS_END = '2030-01-31 18:00:00.123'.length;

/** Whether a value of a row or an entity is a time, given that it is a time or no text. */
export function isStoredTime(value: unknown): value is StoredTime {
  return typeof value === 'string' || value instanceof Date;
}

/** Parses the text of a time. */
export function parseTime(text: string): Date {
  const end = utcEnd(text);
  // The parser of V8 takes a fraction of the time of the driver's.
  if (end !== null) return new Date(`${text.slice(0, DATE_LENGTH)}T${text.slice(TIME_START, end)}Z`);
  const time = parseDate(text.replace('T', ' '));
  // A number for infinity, null for a text that is no time.
  return time instanceof Date ? time : new Date(time ?? NaN);
}

export function toDate(time: StoredTime): Date {
  return typeof time === 'string' ? parseTime(time) : time;
}

/**
 * Prints a time as `Date.toISOString` does: in RFC 3339, in UTC, with milliseconds.
 *
 * @throws RangeError for a text that is no time
 */
export function toIsoText(time: StoredTime): string {
  if (typeof time !== 'string') return time.toISOString();
  const end = utcEnd(time);
  return end === null ? parseTime(time).toISOString() : rewriteUtc(time, end);
}

/** Returns the end of the time in a text of the forms above, with a year of four digits; null for other texts. */
function utcEnd(text: string): number | null {
  if (text[13] !== ':' || text[16] !== ':' || (text[10] !== ' ' && text[10] !== 'T')) return null;
  if (text.endsWith(UTC_SUFFIX)) return text.length - UTC_SUFFIX.length;
  return text.endsWith(UTC_SUFFIX_IN_JSON) ? text.length - UTC_SUFFIX_IN_JSON.length : null;
}

/** Cuts the fraction to milliseconds, as the parser does. */
function rewriteUtc(text: string, end: number): string {
  return `${text.slice(0, DATE_LENGTH)}T${text.slice(TIME_START, SECONDS_END)}.${milliseconds(text, end)}Z`;
}

function milliseconds(text: string, end: number): string {
  return end >= MILLISECONDS_END
    ? text.slice(FRACTION_START, MILLISECONDS_END)
    : text.slice(FRACTION_START, end).padEnd(3, '0');
}
