import { afterEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { clientOf } from '../../src/http/client-of.js';
import type { TrustProxy } from '../../src/http/server.js';

let app: FastifyInstance | undefined;

afterEach(() => app?.close());

interface Sent {
  readonly from?: string;
  readonly forwardedFor?: string;
}

/** The address that a request is taken to come from. */
async function addressOf(trustProxy: TrustProxy, { from = '10.0.0.1', forwardedFor }: Sent): Promise<string> {
  app = Fastify({ trustProxy });
  app.get('/', (request) => clientOf(request));
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const answer = await app.inject({ url: '/', remoteAddress: from, headers });
  return answer.json<{ address: string }>().address;
}

const behind = (hops: number): TrustProxy => (_address, hop) => hop < hops;

describe('the address of a client', () => {
  it.each<[string, TrustProxy, Sent, string]>([
    ['is that of its connection', false, { from: '192.0.2.1' }, '192.0.2.1'],
    ['is not what it claims', false, { from: '192.0.2.1', forwardedFor: '203.0.113.9' }, '192.0.2.1'],
    ['is not what it claims when another is the proxy', ['10.0.0.0/8'], { from: '192.0.2.1', forwardedFor: '203.0.113.9' }, '192.0.2.1'],
    ['is what the proxy says', ['10.0.0.0/8'], { forwardedFor: '203.0.113.9' }, '203.0.113.9'],
    ['is what the proxy added, not what the client sent', ['10.0.0.0/8'], { forwardedFor: '198.51.100.1, 203.0.113.9' }, '203.0.113.9'],
    ['is found behind a line of proxies', ['10.0.0.0/8'], { forwardedFor: '198.51.100.1, 203.0.113.9, 10.0.0.2' }, '203.0.113.9'],
    ['is what the only proxy says', behind(1), { forwardedFor: '198.51.100.1, 203.0.113.9' }, '203.0.113.9'],
    ['is what the outer of two proxies says', behind(2), { forwardedFor: '198.51.100.1, 203.0.113.9, 10.9.9.9' }, '203.0.113.9'],
    ['is that of the proxy when it sends none', behind(1), {}, '10.0.0.1'],
    ['is that of the proxy when what stands there is none', behind(2), { forwardedFor: 'unknown' }, '10.0.0.1'],
    ['is that of the proxy when what stands there could be read as one', behind(1), { forwardedFor: '2130706433' }, '10.0.0.1'],
    ['is an IPv4 address also where the socket takes both', false, { from: '::ffff:192.0.2.1' }, '192.0.2.1'],
    ['is spelt in one way', ['10.0.0.0/8'], { forwardedFor: '2001:0DB8:0::0001' }, '2001:db8::1'],
  ])('%s', async (_, trustProxy, sent, address) => {
    expect(await addressOf(trustProxy, sent)).toBe(address);
  });
});

describe('what a client calls itself', () => {
  it('is its User-Agent, or nothing', async () => {
    app = Fastify();
    app.get('/', (request) => clientOf(request));
    expect((await app.inject({ url: '/', headers: { 'user-agent': 'Firefox' } })).json()).toMatchObject({ userAgent: 'Firefox' });
    expect((await app.inject({ url: '/', headers: { 'user-agent': '' } })).json()).toMatchObject({ userAgent: '' });
  });
});
