import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toClientNetwork } from '../../../src/accounts/rate-limiting/client-network.js';

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8:1:2::', '2001:db8:1:2::'],
    ['::1', '::'],
    ['fe80::1%eth0', 'fe80::'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('maps %s to %s', (address, network) => {
    expect(toClientNetwork(address)).toBe(network);
  });

  it('is one network for all addresses of a /64, and another for every other IPv6 prefix', () => {
    const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, groups, (one, other) => {
        const text = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':');
        expect(toClientNetwork(text([...one.slice(0, 4), ...other.slice(4)]))).toBe(toClientNetwork(text(one)));
        const same = text(one.slice(0, 4)) === text(other.slice(0, 4));
        expect(toClientNetwork(text(one)) === toClientNetwork(text(other))).toBe(same);
      }),
    );
  });

  it('returns text that is not an address unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof toClientNetwork(text)).toBe('string');
      }),
    );
  });
});
