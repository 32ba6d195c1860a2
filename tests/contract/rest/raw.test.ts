import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openRawConnection, requestHead, sendRawRequest, type RawConnection } from '../../support/http/raw-http.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { registerUser, type TestUser } from '../../support/service/test-users.js';

const ME = 'GET /api/auth/me HTTP/1.1';
const TOKEN = 'POST /api/auth/token HTTP/1.1';
const JSON_BODY = 'Content-Type: application/json';

let service: TestService;
let ada: TestUser;

beforeAll(async () => {
  service = await startTestService();
  ada = await registerUser(service);
});
afterAll(() => service.remove());

/** Whatever was sent before, the next request gets a response. */
afterEach(async () => {
  expect((await ada.get('/api/auth/me')).status).toBe(200);
});

interface Parsed {
  readonly statusLine: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

function parse(response: string): Parsed {
  const [top = '', body = ''] = response.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = top.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { statusLine, headers, body: body === '' ? undefined : JSON.parse(body) };
}

function expectLastResort(response: string, statusLine: string, code: string): void {
  const { headers, body, ...parsed } = parse(response);
  expect(parsed.statusLine).toBe(`HTTP/1.1 ${statusLine}`);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    connection: 'close',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(body).toEqual({
    type: `/problems#${code}`,
    title: expect.any(String),
    status: Number(statusLine.slice(0, 3)),
    detail: expect.stringMatching(/\.$/),
    instance: '',
    code,
    reason: code,
    request_id: headers['x-request-id'],
  });
}

describe('a connection on which', () => {
  it.each<[string, string]>([
    ['the headers are too large', requestHead(ME, 'Host: convene', `X-Canary: ${'x'.repeat(20_000)}`)],
    [
      'there are too many headers',
      requestHead(ME, 'Host: convene', ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: x`)),
    ],
    ['the path is too long', requestHead(`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: convene')],
    ['the query is too long', requestHead(`GET /api/auth/me?${'x'.repeat(20_000)} HTTP/1.1`, 'Host: convene')],
  ])('%s gets 431 and is closed', async (_, request) => {
    expectLastResort(
      await sendRawRequest(service.url, request),
      '431 Request Header Fields Too Large',
      'HEADERS_TOO_LARGE',
    );
  });

  it.each<[string, string]>([
    ['nonsense comes', 'canary\r\n\r\n'],
    ['TLS is spoken', '\u0016\u0003\u0001\u0002\u0000\u0001'],
    ['the method is unknown', requestHead('CANARY /api/auth/me HTTP/1.1', 'Host: convene')],
    ['the version is unknown', requestHead('GET /api/auth/me HTTP/9.9', 'Host: convene')],
    ['a header has no name', requestHead(ME, 'Host: convene', ': canary')],
    ['a header has a space before its colon', requestHead(ME, 'Host: convene', 'X-Canary : canary')],
    ['a header is folded', requestHead(ME, 'Host: convene', 'X-Canary: a', ' canary')],
    ['a header holds NUL', requestHead(ME, 'Host: convene', 'X-Canary: a\u0000b')],
    ['a header ends in a bare CR', `${ME}\r\nHost: convene\r\nX-Canary: a\rX-More: b\r\n\r\n`],
    ['two lengths differ', `${requestHead(TOKEN, 'Host: convene', 'Content-Length: 2', 'Content-Length: 4')}{}{}`],
    ['two lengths agree', `${requestHead(TOKEN, 'Host: convene', 'Content-Length: 2', 'Content-Length: 2')}{}`],
    ['a length is negative', `${requestHead(TOKEN, 'Host: convene', 'Content-Length: -2')}{}`],
    ['a length is no number', `${requestHead(TOKEN, 'Host: convene', 'Content-Length: 2a')}{}`],
    [
      'a body is said to be chunked and of a length',
      `${requestHead(TOKEN, 'Host: convene', 'Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    [
      'a body is chunked, then something else',
      `${requestHead(TOKEN, 'Host: convene', 'Transfer-Encoding: chunked, identity')}0\r\n\r\n`,
    ],
    ['a chunk has no size', `${requestHead(TOKEN, 'Host: convene', JSON_BODY, 'Transfer-Encoding: chunked')}zz\r\n`],
  ])('%s gets 400 and is closed', async (_, request) => {
    const response = await sendRawRequest(service.url, request);
    expectLastResort(response, '400 Bad Request', 'MALFORMED_REQUEST');
    expect(response.toLowerCase()).not.toContain('canary');
  });

  it('no Host is sent gets 400', async () => {
    expect(await sendRawRequest(service.url, requestHead(ME))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('an absolute URL is requested gets the response of its path', async () => {
    const response = await sendRawRequest(
      service.url,
      requestHead(
        'GET http://convene/api/auth/me HTTP/1.1',
        'Host: convene',
        'Connection: close',
        `Authorization: Bearer ${ada.token}`,
      ),
    );
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('HTTP/1.0 is used gets a response', async () => {
    expect(
      await sendRawRequest(service.url, requestHead('GET /api/auth/me HTTP/1.0', `Authorization: Bearer ${ada.token}`)),
    ).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('two requests are pipelined gets two responses, in order', async () => {
    const response = await sendRawRequest(
      service.url,
      requestHead(ME, 'Host: convene') +
        requestHead('GET /api/nonsense HTTP/1.1', 'Host: convene', 'Connection: close'),
    );
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 404']);
  });

  it('a declared body is rejected gets the response immediately', async () => {
    const connection = await openRawConnection(service.url);
    connection.send(
      requestHead(
        'PUT /api/auth/token HTTP/1.1',
        'Host: convene',
        'Content-Type: application/json',
        'Content-Length: 1000000',
      ),
    );
    expect(await connection.waitForText('METHOD_NOT_ALLOWED')).toMatch(/^HTTP\/1\.1 405 /);
    connection.close();
  });
});

describe('many connections', () => {
  it('with incomplete requests do not delay others', async () => {
    const halves = [
      ME,
      `${ME}\r\nHost: conv`,
      `${requestHead(TOKEN, 'Host: convene', JSON_BODY, 'Content-Length: 100')}{"user`,
      '',
    ];
    const connections: RawConnection[] = [];
    for (let index = 0; index < 300; index += 1) {
      const connection = await openRawConnection(service.url);
      connection.send(halves[index % halves.length] ?? '');
      connections.push(connection);
    }
    const begun = performance.now();
    expect((await ada.get('/api/auth/me')).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1_000);
    for (const connection of connections) connection.close();
  });
});
