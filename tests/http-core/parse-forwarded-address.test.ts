import { isIP } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseForwardedAddress } from '../../src/http-core/parse-forwarded-address.js';

/** Length of the longest textual IP address. */
const LONGEST = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'.length;

describe('parseForwardedAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[192.0.2.1]:4711', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1:4711', '2001:db8::1:4711'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:4711', 'fe80::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['::192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1%1]:4711', '192.0.2.1'],
  ])('converts %s to %s', (entry, address) => {
    expect(parseForwardedAddress(entry)).toBe(address);
  });

  it.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    'for=192.0.2.1',
    '"192.0.2.1"',
    '192.0.2.1 ',
    '192.0.2.1:',
    '192.0.2.1:port',
    '192.0.2.1:123456',
    '192.0.2',
    '192.0.2.256',
    '127.1',
    '2130706433',
    '0x7f000001',
    '010.0.0.1',
    '192.0.2.1/24',
    '[]',
    '[]:80',
    '[2001:db8::1',
    '2001:db8::1]:80',
    '[[2001:db8::1]]',
    ':::',
    '1:2:3:4:5:6:7:8:9',
    '%eth0',
    '192.0.2.1, 192.0.2.2',
    '\u0661.0.0.1',
    'localhost',
  ])('returns null for %j', (entry) => {
    expect(parseForwardedAddress(entry)).toBeNull();
  });

  it('returns a normalized address of bounded length, or null, for any text', () => {
    const pieces = fc.constantFrom(
      '1',
      'f',
      '255',
      ':',
      '::',
      '.',
      '%',
      '[',
      ']',
      'eth0',
      ' ',
      'ffff',
      '\u0000',
      '2001:db8::1',
      '192.0.2.1',
    );
    const entries = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 40 }).map((some) => some.join('')),
      fc.ipV6(),
      fc.ipV4(),
    );
    fc.assert(
      fc.property(entries, (entry) => {
        const address = parseForwardedAddress(entry);
        if (address === null) return;
        expect(isIP(address)).not.toBe(0);
        expect(address.length).toBeLessThanOrEqual(LONGEST);
        expect(parseForwardedAddress(address)).toBe(address);
      }),
      { numRuns: 1_000 },
    );
  });
});
