import { describe, expect, it } from '@jest/globals';
import { createTrustedProxyCheck } from '../../src/http-core/trusted-proxies.js';

describe('createTrustedProxyCheck', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '192.0.2.1:4711', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['::ffff:10.0.0.0/104', '10.0.0.1', true],
    ['::/1', '10.0.0.1', false],
    ['2001:db8::/32', '[2001:db8:1::1]:4711', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['loopback', '127.0.0.2', true],
    ['loopback', '::1', true],
    ['loopback', '10.0.0.1', false],
    ['linklocal', 'fe80::1%eth0', true],
    ['linklocal', '169.254.1.1', true],
    ['uniquelocal', '172.31.0.1', true],
    ['uniquelocal', '172.32.0.1', false],
    ['uniquelocal', '192.168.0.1', true],
    ['uniquelocal', 'fd00::1', true],
    ['10.0.0.0/8', 'unknown', false],
    ['10.0.0.0/8', '10.1', false],
    ['10.0.0.0/8', undefined, false],
  ])('trusting %s, returns for %s: %s', (trusted, entry, isTrusted) => {
    expect(createTrustedProxyCheck([trusted])(entry)).toBe(isTrusted);
    expect(createTrustedProxyCheck(['203.0.113.1', trusted, '203.0.113.2'])(entry)).toBe(isTrusted);
  });

  it('trusts no proxy for an empty list, and throws for an invalid range', () => {
    expect(createTrustedProxyCheck([])('127.0.0.1')).toBe(false);
    for (const wrong of ['nearby', '10.0.0.0/33', '10.0.0.0/x', ''])
      expect(() => createTrustedProxyCheck([wrong])).toThrow();
  });
});
