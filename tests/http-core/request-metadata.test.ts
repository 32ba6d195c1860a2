import { afterEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { resolveClientInfo } from '../../src/http-core/request-metadata.js';
import { createTrustedProxyCheck, type TrustProxy } from '../../src/http-core/trusted-proxies.js';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

interface Sent {
  readonly from?: string;
  readonly forwardedFor?: string;
}

/** The address that a request is taken to come from. */
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

describe('the address of a client', () => {
  it.each<[string, TrustProxy, Sent, string]>([
    ['is that of its connection', false, { from: '192.0.2.1' }, '192.0.2.1'],
    ['is not what it claims', false, { from: '192.0.2.1', forwardedFor: '203.0.113.9' }, '192.0.2.1'],
    [
      'is not what it claims when another is the proxy',
      PRIVATE,
      { from: '192.0.2.1', forwardedFor: '203.0.113.9' },
      '192.0.2.1',
    ],
    ['is what the proxy says', PRIVATE, { forwardedFor: '203.0.113.9' }, '203.0.113.9'],
    [
      'is what the proxy added, not what the client sent',
      PRIVATE,
      { forwardedFor: '198.51.100.1, 203.0.113.9' },
      '203.0.113.9',
    ],
    [
      'is found behind a line of proxies',
      PRIVATE,
      { forwardedFor: '198.51.100.1, 203.0.113.9, 10.0.0.2' },
      '203.0.113.9',
    ],
    ['is what the only proxy says', behind(1), { forwardedFor: '198.51.100.1, 203.0.113.9' }, '203.0.113.9'],
    [
      'is what the outer of two proxies says',
      behind(2),
      { forwardedFor: '198.51.100.1, 203.0.113.9, 10.9.9.9' },
      '203.0.113.9',
    ],
    ['is that of the proxy when it sends none', behind(1), {}, '10.0.0.1'],
    ['is that of the proxy when what stands there is none', behind(2), { forwardedFor: 'unknown' }, '10.0.0.1'],
    [
      'is that of the proxy when what stands there could be read as one',
      behind(1),
      { forwardedFor: '2130706433' },
      '10.0.0.1',
    ],
    ['is an IPv4 address also where the socket takes both', false, { from: '::ffff:192.0.2.1' }, '192.0.2.1'],
    ['is what a proxy says with the port', PRIVATE, { forwardedFor: '203.0.113.9:4711' }, '203.0.113.9'],
    ['is what a proxy says in brackets, with the port', PRIVATE, { forwardedFor: '[2001:db8::9]:4711' }, '2001:db8::9'],
    [
      'is found behind proxies that are written down with their ports',
      PRIVATE,
      { forwardedFor: '198.51.100.1, 203.0.113.9:4711, 10.0.0.2:80, [::ffff:10.0.0.3]:80' },
      '203.0.113.9',
    ],
    [
      'is that of the outermost proxy that is known when what stands before it is none',
      PRIVATE,
      { forwardedFor: '203.0.113.9, unknown, 10.0.0.2:80' },
      '10.0.0.2',
    ],
    [
      'is what a proxy says although another is not named',
      behind(2),
      { forwardedFor: '198.51.100.1, 203.0.113.9, unknown' },
      '203.0.113.9',
    ],
    ['is that of the proxy when it sends nothing', PRIVATE, { forwardedFor: '' }, '10.0.0.1'],
    ['is that of the proxy when it sends white space and commas', PRIVATE, { forwardedFor: ' ,\t, ' }, '10.0.0.1'],
    [
      'is found between white space and empty entries',
      PRIVATE,
      { forwardedFor: '  198.51.100.1 ,, \t203.0.113.9\t , , 10.0.0.2 ' },
      '203.0.113.9',
    ],
    ['has no zone', PRIVATE, { forwardedFor: `fe80::9%${'e'.repeat(3_000)}` }, 'fe80::9'],
    [
      'is an IPv4 address where the proxy writes it as an IPv6 one',
      PRIVATE,
      { forwardedFor: '::ffff:203.0.113.9' },
      '203.0.113.9',
    ],
    [
      'is that of the proxy where a number has zeros in front, which some read as octal',
      PRIVATE,
      { forwardedFor: '0203.0.113.9' },
      '10.0.0.1',
    ],
    ['is that of the proxy behind quotes', PRIVATE, { forwardedFor: '"203.0.113.9"' }, '10.0.0.1'],
    [
      'has no zone where the connection has one',
      createTrustedProxyCheck(['linklocal']),
      { from: 'fe80::1%eth0', forwardedFor: '203.0.113.9' },
      '203.0.113.9',
    ],
    ['is spelt in one way', PRIVATE, { forwardedFor: '2001:0DB8:0::0001' }, '2001:db8::1'],
  ])('%s', async (_, trustProxy, sent, address) => {
    expect(await addressOf(trustProxy, sent)).toBe(address);
  });
});

describe('what a client calls itself', () => {
  it('is its User-Agent, or nothing', async () => {
    app = Fastify();
    app.get('/', (request) => resolveClientInfo(request));
    expect((await app.inject({ url: '/', headers: { 'user-agent': 'Firefox' } })).json()).toMatchObject({
      userAgent: 'Firefox',
    });
    expect((await app.inject({ url: '/', headers: { 'user-agent': '' } })).json()).toMatchObject({ userAgent: '' });
  });
});
