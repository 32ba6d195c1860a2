import { describe, expect, it } from '@jest/globals';
import { parseTime, toDate, toIsoText, type TimeText } from '../../src/time/stored-time.js';

/** Texts of PostgreSQL with what `Date.toISOString` prints of the same time. */
const TEXTS: readonly (readonly [text: string, iso: string])[] = [
  ['2030-01-31 18:00:00+00', '2030-01-31T18:00:00.000Z'],
  ['2030-01-31 18:00:00.5+00', '2030-01-31T18:00:00.500Z'],
  ['2030-01-31 18:00:00.57+00', '2030-01-31T18:00:00.570Z'],
  ['2030-01-31 18:00:00.123+00', '2030-01-31T18:00:00.123Z'],
  ['2030-01-31 18:00:00.1234+00', '2030-01-31T18:00:00.123Z'],
  ['2030-01-31 18:00:00.123999+00', '2030-01-31T18:00:00.123Z'],
  ['2030-01-31 23:59:59.999999+00', '2030-01-31T23:59:59.999Z'],
  ['2030-01-31 18:00:00+05:30', '2030-01-31T12:30:00.000Z'],
  ['2030-01-31 18:00:00.25-03', '2030-01-31T21:00:00.250Z'],
  ['12030-01-31 18:00:00+00', '+012030-01-31T18:00:00.000Z'],
  ['0001-01-31 18:00:00+00', '0001-01-31T18:00:00.000Z'],
  ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
];

/** The same times as PostgreSQL prints them in JSON. */
const IN_JSON = TEXTS.map(
  ([text, iso]) => [text.replace(' ', 'T').replace(/([+-]\d\d)( BC)?$/, '$1:00$2'), iso] as const,
);

const TIMES = [...TEXTS, ...IN_JSON];

const textOf = (text: string) => text as TimeText;

describe('toIsoText', () => {
  it.each(TIMES)('prints %s as %s', (text, iso) => {
    expect(toIsoText(textOf(text))).toBe(iso);
  });

  it('prints a Date', () => {
    expect(toIsoText(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each(['infinity', 'yesterday', ''])('rejects %p, which is no time', (text) => {
    expect(() => toIsoText(textOf(text))).toThrow(RangeError);
  });
});

describe('parseTime', () => {
  it.each(TIMES)('parses %s to the time that is printed as %s', (text, iso) => {
    expect(parseTime(text).toISOString()).toBe(iso);
  });
});

describe('toDate', () => {
  it('parses a text, and returns a Date unchanged', () => {
    const date = new Date(1);
    expect(toDate(date)).toBe(date);
    expect(toDate(textOf('1970-01-01 00:00:01+00'))).toEqual(new Date(1_000));
  });
});
