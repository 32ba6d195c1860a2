import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCapturingLogger } from '../../support/capturing-logger.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser } from '../../support/service/test-users.js';

const PROXY = '127.0.0.1';

let service: TestService;
const { log, lines } = createCapturingLogger();

beforeAll(async () => {
  service = await startTestService({
    hasher: FAKE_HASHER,
    settings: { RATE_LIMITS: 'on', LIMIT_LOGIN: '1000/1h', LIMIT_LOGIN_ADDRESS: '2/1h', TRUST_PROXY: 'loopback' },
    log,
  });
  await registerUser(service, 'ada');
});
beforeEach(async () => {
  lines.length = 0;
  await service.database.pool.query('truncate rate_limit, session');
});
afterAll(() => service.remove());

/** The status of a login through a proxy that sends exactly these headers. */
async function logIn(headers: readonly string[], password = PASSWORD): Promise<number> {
  const body = JSON.stringify({ username: 'ada', password });
  const response = await sendRawRequest(
    service.url,
    Buffer.from(
      requestHead(
        'POST /api/auth/token HTTP/1.1',
        'Host: localhost',
        'Connection: close',
        'Content-Type: application/json',
        `Content-Length: ${String(body.length)}`,
        ...headers,
      ) + body,
      'latin1',
    ),
  );
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
}

const forwardedFor = (...values: readonly string[]): string[] => values.map((value) => `X-Forwarded-For: ${value}`);

describe('a client address from a trusted proxy', () => {
  it.each<[string, readonly string[], string]>([
    ['with a port', forwardedFor('203.0.113.9:4711'), '203.0.113.9'],
    ['in brackets, with a port', forwardedFor('[2001:db8::9]:4711'), '2001:db8::9'],
    ['as an IPv6 address of an IPv4 client', forwardedFor('::ffff:203.0.113.9'), '203.0.113.9'],
    ['with a zone as long as a header can be', forwardedFor(`fe80::9%${'z'.repeat(12_000)}`), 'fe80::9'],
    ['in several headers', forwardedFor('198.51.100.1', '203.0.113.9', '127.0.0.2'), '203.0.113.9'],
    ['with white space and empty entries', forwardedFor(' , 198.51.100.1,\t203.0.113.9 , ,'), '203.0.113.9'],
    ['in an empty header', forwardedFor(''), PROXY],
    ['as unknown', forwardedFor('unknown'), PROXY],
    ['as a made-up word', forwardedFor('_secret:proxy'), PROXY],
    ['in bytes that are no text', forwardedFor('\xff\xfe\x80'), PROXY],
    ['as an address in another header', ['Forwarded: for=203.0.113.9', 'X-Real-IP: 203.0.113.9'], PROXY],
    ['in a list without end', forwardedFor(Array.from({ length: 1_000 }, () => '127.0.0.1').join(',')), '127.0.0.1'],
    ['as a name that the language has', forwardedFor('__proto__'), PROXY],
  ])('%s is used in the session, in the log, and for rate limits', async (_, headers, address) => {
    expect(await logIn([...headers, `User-Agent: ${'Firefox'.repeat(300)}`])).toBe(200);
    const { rows } = await service.database.pool.query<{ address: string; length: number }>(
      'select address, length(user_agent) as length from session',
    );
    expect(rows).toEqual([{ address, length: 300 }]);
    for (let tries = 0; tries < 2; tries += 1) expect(await logIn(headers, 'not the password')).toBe(401);
    expect(await logIn(headers)).toBe(429);
    expect(await logIn(forwardedFor(address === PROXY ? '192.0.2.77' : address))).toBe(address === PROXY ? 200 : 429);
    const logins = lines.filter((line) => line['event'] === 'login').slice(0, 3);
    expect(logins.map((line) => line['address'])).toEqual([address, address, address]);
  });
});
