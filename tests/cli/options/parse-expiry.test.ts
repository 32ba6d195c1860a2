import { describe, expect, it } from '@jest/globals';
import { parseExpiry } from '../../../src/cli/options/parse-expiry.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');

describe('parseExpiry', () => {
  it.each([
    ['90d', '2026-05-30T12:00:00.000Z'],
    ['12h', '2026-03-02T00:00:00.000Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T18:00:00Z', '2030-01-31T18:00:00.000Z'],
    ['2030-01-31T18:00:00.5+02:00', '2030-01-31T16:00:00.500Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseExpiry(text, NOW).toISOString()).toBe(moment);
  });

  it.each(['', 'soon', '90', '90 d', '2030-02-30', '2030-01-31T18:00', '31.1.2030'])('rejects "%s"', (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow('Give a duration');
  });
});
