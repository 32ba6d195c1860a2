import { isIP } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { parseForwardedAddress, resolveClientInfo } from '../../src/http-core/request-metadata.js';
import { createTrustedProxyCheck, type TrustProxy } from '../../src/http-core/trusted-proxies.js';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

interface Sent {
  readonly from?: string;
  readonly forwardedFor?: string;
}

/** @returns the resolved address of a request's client */
async function addressOf(trustProxy: TrustProxy, { from = '10.0.0.1', forwardedFor }: Sent): Promise<string> {
  app = Fastify({ trustProxy });
  app.get('/', (request) => resolveClientInfo(request));
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const answer = await app.inject({ url: '/', remoteAddress: from, headers });
  return answer.json<{ address: string }>().address;
}

const PRIVATE = createTrustedProxyCheck(['10.0.0.0/8']);
const behind =
  (hops: number): TrustProxy =>
  (_address, hop) =>
    hop < hops;

describe('resolveClientInfo › address', () => {
  it.each<[string, TrustProxy, Sent, string]>([
    ['is the address of the connection', false, { from: '192.0.2.1' }, '192.0.2.1'],
    [
      'ignores X-Forwarded-For without a trusted proxy',
      false,
      { from: '192.0.2.1', forwardedFor: '203.0.113.9' },
      '192.0.2.1',
    ],
    [
      'ignores X-Forwarded-For of a proxy that is not trusted',
      PRIVATE,
      { from: '192.0.2.1', forwardedFor: '203.0.113.9' },
      '192.0.2.1',
    ],
    ['is the entry of the trusted proxy', PRIVATE, { forwardedFor: '203.0.113.9' }, '203.0.113.9'],
    [
      'is the entry that the proxy added, not the entry of the client',
      PRIVATE,
      { forwardedFor: '198.51.100.1, 203.0.113.9' },
      '203.0.113.9',
    ],
    [
      'is found behind several trusted proxies',
      PRIVATE,
      { forwardedFor: '198.51.100.1, 203.0.113.9, 10.0.0.2' },
      '203.0.113.9',
    ],
    ['is the last entry behind one hop', behind(1), { forwardedFor: '198.51.100.1, 203.0.113.9' }, '203.0.113.9'],
    [
      'is the entry of the outer proxy behind two hops',
      behind(2),
      { forwardedFor: '198.51.100.1, 203.0.113.9, 10.9.9.9' },
      '203.0.113.9',
    ],
    ['is the address of the proxy when it sends no header', behind(1), {}, '10.0.0.1'],
    ['is the address of the proxy when the entry is no address', behind(2), { forwardedFor: 'unknown' }, '10.0.0.1'],
    [
      'is the address of the proxy when only some parsers accept the entry',
      behind(1),
      { forwardedFor: '2130706433' },
      '10.0.0.1',
    ],
    ['is an IPv4 address on a dual-stack socket', false, { from: '::ffff:192.0.2.1' }, '192.0.2.1'],
    ['is an entry with a port, without the port', PRIVATE, { forwardedFor: '203.0.113.9:4711' }, '203.0.113.9'],
    [
      'is an entry in brackets with a port, without both',
      PRIVATE,
      { forwardedFor: '[2001:db8::9]:4711' },
      '2001:db8::9',
    ],
    [
      'is found behind proxies whose entries have ports',
      PRIVATE,
      { forwardedFor: '198.51.100.1, 203.0.113.9:4711, 10.0.0.2:80, [::ffff:10.0.0.3]:80' },
      '203.0.113.9',
    ],
    [
      'is the address of the outermost known proxy when the entry before it is no address',
      PRIVATE,
      { forwardedFor: '203.0.113.9, unknown, 10.0.0.2:80' },
      '10.0.0.2',
    ],
    [
      'is the entry of one proxy when that of another is no address',
      behind(2),
      { forwardedFor: '198.51.100.1, 203.0.113.9, unknown' },
      '203.0.113.9',
    ],
    ['is the address of the proxy when the header is empty', PRIVATE, { forwardedFor: '' }, '10.0.0.1'],
    [
      'is the address of the proxy when the header has only white space and commas',
      PRIVATE,
      { forwardedFor: ' ,\t, ' },
      '10.0.0.1',
    ],
    [
      'is found between white space and empty entries',
      PRIVATE,
      { forwardedFor: '  198.51.100.1 ,, \t203.0.113.9\t , , 10.0.0.2 ' },
      '203.0.113.9',
    ],
    ['has no zone of an entry', PRIVATE, { forwardedFor: `fe80::9%${'e'.repeat(3_000)}` }, 'fe80::9'],
    [
      'is an IPv4 address for an IPv4-mapped IPv6 entry',
      PRIVATE,
      { forwardedFor: '::ffff:203.0.113.9' },
      '203.0.113.9',
    ],
    [
      'is the address of the proxy when an entry has leading zeros, which some parsers read as octal',
      PRIVATE,
      { forwardedFor: '0203.0.113.9' },
      '10.0.0.1',
    ],
    ['is the address of the proxy when the entry is quoted', PRIVATE, { forwardedFor: '"203.0.113.9"' }, '10.0.0.1'],
    [
      'ignores the zone of the connection when it checks the proxy',
      createTrustedProxyCheck(['linklocal']),
      { from: 'fe80::1%eth0', forwardedFor: '203.0.113.9' },
      '203.0.113.9',
    ],
    ['is normalized', PRIVATE, { forwardedFor: '2001:0DB8:0::0001' }, '2001:db8::1'],
  ])('%s', async (_, trustProxy, sent, address) => {
    expect(await addressOf(trustProxy, sent)).toBe(address);
  });
});

describe('resolveClientInfo › userAgent', () => {
  it('is the header User-Agent, also when it is empty', async () => {
    app = Fastify();
    app.get('/', (request) => resolveClientInfo(request));
    expect((await app.inject({ url: '/', headers: { 'user-agent': 'Firefox' } })).json()).toMatchObject({
      userAgent: 'Firefox',
    });
    expect((await app.inject({ url: '/', headers: { 'user-agent': '' } })).json()).toMatchObject({ userAgent: '' });
  });
});

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
