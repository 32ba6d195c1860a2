import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { parseRawResponse } from '../../support/http/raw-response.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const REQUEST_LINES = [
  'GET / HTTP/1.1',
  'GET /problems HTTP/1.1',
  'HEAD /livez HTTP/1.1',
  'GET /.well-known/jwks.json HTTP/1.1',
  'GET /graphql?query={__typename} HTTP/1.1',
  'POST /graphql HTTP/1.1',
  'DELETE /graphql HTTP/1.1',
  'OPTIONS /graphql HTTP/1.1',
  'GET /api/auth/me HTTP/1.1',
  'OPTIONS /api/auth/me HTTP/1.1',
  'PUT /api/auth/me HTTP/1.1',
  'GET /nonsense HTTP/1.1',
  'GET /%zz HTTP/1.1',
  'GET /api/auth/me HTTP/1.0',
];
const INVALID_HOSTS = [
  '',
  '[',
  ']',
  '[]',
  '[::1',
  '::1',
  '[::1]x',
  '[gg::]',
  '[1.2.3.4]',
  '[v1.x]',
  'foo bar',
  '%zz',
  '%',
  '%4',
  '@',
  'user@convene',
  'convene/',
  '/',
  'x/?variables={"n":1000}&',
  'x?y',
  'x#y',
  'a:b',
  'a:4000:4000',
  'a:-1',
  'a:65536',
  'a:999999999999',
  ':4000',
  'http://convene',
  'b\u00e4r',
  'a"b',
  'a<b',
  'a\\b',
  'a|b',
  'a^b',
  'a`b',
  'a{b}',
  'a\tb',
];
const VALID_HOSTS = [
  'convene',
  'CONVENE.example:4000',
  '127.0.0.1:80',
  '[::1]',
  '[::1]:4000',
  '[::ffff:192.0.2.1]',
  'xn--br-via.example',
  'my_service',
  'convene.',
  'convene:',
  'con%2Dvene',
  'a,b',
  ' convene ',
];

describe.each(['yoga', 'apollo'])('the header Host with %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
  });
  afterAll(() => service.remove());

  async function expectRejected(requestLine: string, ...hosts: readonly string[]): Promise<void> {
    const response = parseRawResponse(
      await sendRawRequest(service.url, Buffer.from(requestHead(requestLine, ...hosts, 'Connection: close'), 'latin1')),
    );
    expect({ hosts, requestLine, status: response.status }).toEqual({ hosts, requestLine, status: 400 });
    const requestId = response.headers['x-request-id'];
    const code = 'MALFORMED_REQUEST';
    if (requestLine.startsWith('HEAD')) expect(response.text).toBe('');
    else if (requestLine.includes(' /graphql'))
      expect(response.body).toEqual({
        errors: [{ message: expect.any(String), extensions: { code, reason: code, requestId } }],
      });
    else expect(response.body).toMatchObject({ status: 400, code, reason: code, request_id: requestId });
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  }

  it.each(REQUEST_LINES)('is rejected with 400 when its value is invalid: %s', async (requestLine) => {
    for (const host of INVALID_HOSTS) await expectRejected(requestLine, `Host: ${host}`);
  });

  it.each(REQUEST_LINES)('is rejected with 400 when there are several: %s', async (requestLine) => {
    await expectRejected(requestLine, 'Host: convene', 'Host: convene');
    await expectRejected(requestLine, 'Host: convene', 'X-More: x', 'host: other');
  });

  it.each(REQUEST_LINES.filter((line) => line.endsWith('1.1')))('is required by HTTP/1.1: %s', async (requestLine) => {
    await expectRejected(requestLine);
  });

  it('is not required by HTTP/1.0', async () => {
    expect(parseRawResponse(await sendRawRequest(service.url, requestHead('GET /livez HTTP/1.0'))).status).toBe(200);
  });

  it.each(VALID_HOSTS)('accepts "%s"', async (host) => {
    for (const path of ['/livez', '/graphql?query={__typename}']) {
      const response = parseRawResponse(
        await sendRawRequest(service.url, requestHead(`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close')),
      );
      expect({ host, path, status: response.status }).toEqual({ host, path, status: 200 });
    }
  });
});

describe('a request target', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER });
  });
  afterAll(() => service.remove());

  function send(target: string): ReturnType<typeof sendRawRequest> {
    return sendRawRequest(
      service.url,
      Buffer.from(requestHead(`GET ${target} HTTP/1.1`, 'Host: convene', 'Connection: close'), 'latin1'),
    );
  }

  it.each([
    ['http://convene/livez', 200],
    ['HTTP://convene:4000/livez', 200],
    ['https://[::1]/livez?x', 200],
    ['http://convene', 200],
    ['http://convene?x=/nonsense', 200],
    ['http://convene/graphql?query={__typename}', 200],
    ['http://convene/nonsense', 404],
  ])('in absolute form is handled by its path: %s', async (target, status) => {
    expect(parseRawResponse(await send(target)).status).toBe(status);
  });

  it.each([
    'http://[/livez',
    'http://a@b/livez',
    'http:///livez',
    'http://%zz/livez',
    'http://a:b/livez',
    'ftp://convene/livez',
    'http://a:70000/graphql?query={__typename}',
    '/livez#fragment',
    '/graphql#query={__typename}',
    '/graphql?query={__typename}#x',
    '/livez?b\u00e4r',
    '/b\u00e4r',
  ])('is rejected with 400 when it is malformed: %s', async (target) => {
    const { status, body } = parseRawResponse(await send(target));
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('"MALFORMED_REQUEST"');
  });

  it('appears in a problem as its path, without the authority', async () => {
    expect(parseRawResponse(await send('http://convene/api/nonsense?x=1')).body).toMatchObject({
      status: 404,
      instance: '/api/nonsense',
    });
  });
});
