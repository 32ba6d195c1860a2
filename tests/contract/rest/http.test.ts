import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../../src/errors/index.js';
import { ROUTES } from '../../../src/rest/index.js';
import { expectProblem } from '../../support/http/expect-problem.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { comparableHead, TestClient } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, registerUser, type TestUser } from '../../support/service/test-users.js';

const PATHS = [...new Set(ROUTES.map(({ path }) => path))];
const OTHER_PATHS = [
  '/',
  '/problems',
  '/docs',
  '/docs/rest',
  '/docs/decisions',
  '/app',
  '/app/groups/any',
  '/verify-email',
  '/graphql',
  '/livez',
  '/readyz',
  '/openapi.json',
  '/api/docs',
  '/.well-known/jwks.json',
];
/** Errors that only HTTP itself can return. */
const HTTP_CODES = [
  'MALFORMED_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'DOCUMENT_NOT_TRUSTED',
  'PERSISTED_DOCUMENT_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
];

let service: TestService;
let owner: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService();
  owner = await registerUser(service);
  groupId = await createGroupViaApi(owner);
});
afterAll(() => service.remove());

function filled(path: string): string {
  return path.replace(':group_id', groupId).replace(':user_id', owner.id);
}

function allowedAt(path: string): string[] {
  const methods =
    path === '/graphql' ? ['GET', 'POST'] : ROUTES.filter((row) => row.path === path).map(({ method }) => method);
  const known: string[] = methods.length === 0 ? ['GET'] : methods;
  return [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
}

describe.each([...PATHS, ...OTHER_PATHS])('%s', (path) => {
  it('returns its methods for OPTIONS, without a token', async () => {
    const { status, headers, text } = await new TestClient(service.url).send('OPTIONS', filled(path));
    expect({ status, allow: headers.get('allow'), text }).toEqual({
      status: 204,
      allow: allowedAt(path).join(', '),
      text: '',
    });
  });

  it('rejects every other method with 405 and the same list, whatever is sent', async () => {
    const others = METHODS.filter((method) => !allowedAt(path).includes(method) && method !== 'CONNECT');
    const responses = await Promise.all(
      others.map((method) =>
        sendRawRequest(
          service.url,
          `${requestHead(
            `${method} ${filled(path)} HTTP/1.1`,
            'Host: convene',
            'Connection: close',
            'Content-Type: text/plain',
            'Content-Length: 4',
          )}body`,
        ),
      ),
    );
    for (const [index, response] of responses.entries()) {
      expect(`${others[index] ?? ''}: ${response.slice(0, 12)}`).toBe(`${others[index] ?? ''}: HTTP/1.1 405`);
      expect(response).toContain(`\r\nallow: ${allowedAt(path).join(', ')}\r\n`);
      if (others[index] !== 'HEAD') expect(response).toContain('"code":"METHOD_NOT_ALLOWED"');
    }
  });
});

describe('a path with GET', () => {
  const reads = [
    ...ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path),
    ...OTHER_PATHS,
    '/graphql?query={__typename}',
  ];

  it.each(reads)('returns for HEAD the head of GET: %s', async (path) => {
    const [get, headOnly] = await Promise.all([owner.get(filled(path)), owner.send('HEAD', filled(path))]);
    expect(get.text).not.toBe('');
    expect(headOnly.text).toBe('');
    expect(comparableHead(headOnly)).toEqual(comparableHead(get));
  });

  it.each(ROUTES.filter(({ method, needsToken }) => method === 'GET' && needsToken).map(({ path }) => path))(
    'returns for HEAD the status of an error too: %s',
    async (path) => {
      const anonymous = new TestClient(service.url);
      const [get, headOnly] = await Promise.all([anonymous.get(filled(path)), anonymous.send('HEAD', filled(path))]);
      expect(headOnly.status).toBe(401);
      expect(comparableHead(headOnly)).toEqual(comparableHead(get));
    },
  );

  it.each(reads.filter((path) => path.startsWith('/api')))('accepts a trailing slash: %s', async (path) => {
    const [plain, slashed] = await Promise.all([owner.get(filled(path)), owner.get(`${filled(path)}/`)]);
    expect({ status: slashed.status, text: slashed.text }).toEqual({ status: 200, text: plain.text });
  });
});

describe('an unknown path', () => {
  it.each([
    '/api',
    '/api/',
    '/api/nonsense',
    '//api/auth/me',
    '/api//auth/me',
    '/API/auth/me',
    '/api/auth/me/more',
    '/api/groups',
    '/nonsense',
    '/api/auth/me%2f',
    '/api/auth/me;x=1',
    '/robots.txt',
    '/problems/x',
  ])('returns 404 without Allow, for any caller and method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await new TestClient(service.url).send(method, path, method === 'POST' ? { json: {} } : {});
      const instance = path.startsWith('//') ? `/.${path}` : path;
      expectProblem(response, { status: 404, code: 'NOT_FOUND', reason: 'ROUTE_NOT_FOUND', instance });
    }
  });

  it('never redirects, which would drop the token', async () => {
    for (const path of ['/api/auth/me/', '//api/auth/me', '/api/auth//me', '/api/auth/me//']) {
      expect((await owner.get(path)).status.toString()).toMatch(/^(200|404)$/);
    }
  });
});

describe('the instance of a problem', () => {
  it.each([
    ['/api/{x}|^`"<>\\', '/api/%7Bx%7D%7C%5E%60%22%3C%3E%5C'],
    ['/api/[x]', '/api/%5Bx%5D'],
    ['/api/%zz%4', '/api/%25zz%254'],
    ['/api/%C3%A9;a=1,b@c:d', '/api/%C3%A9;a=1,b@c:d'],
    ['//evil.example/x', '/.//evil.example/x'],
    ['/api/é', ''],
    ['http://[/x', ''],
  ])('is a URI reference for the target %s', async (target, instance) => {
    const response = await sendRawRequest(
      service.url,
      requestHead(`GET ${target} HTTP/1.1`, 'Host: convene', 'Connection: close'),
    );
    const [, body = ''] = response.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ instance });
  });
});

describe('the Accept header', () => {
  const ME = '/api/auth/me';

  it.each([
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'application/problem+json',
    'application/json;q=0.1',
    '',
  ])('accepts "%s"', async (accept) => {
    const response = await owner.get(ME, { accept });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each(['text/html', 'application/xml;q=1', 'text/*', 'application/json;q=0', 'nonsense'])(
    'rejects "%s"',
    async (accept) => {
      expectProblem(await owner.get(ME, { accept }), { status: 406, code: 'NOT_ACCEPTABLE', instance: ME });
      const response = await owner.post('/api/auth/register', {}, { accept });
      expectProblem(response, { status: 406, code: 'NOT_ACCEPTABLE', instance: '/api/auth/register' });
    },
  );
});

describe('a request body', () => {
  const REGISTER = '/api/auth/register';

  it('is rejected above 100 KiB, declared or measured', async () => {
    const json = JSON.stringify({ username: 'x'.repeat(102_400) });
    const declared = await owner.send('POST', REGISTER, {
      headers: { 'content-type': 'application/json' },
      body: json,
    });
    expectProblem(declared, { status: 413, code: 'PAYLOAD_TOO_LARGE', instance: REGISTER });
    const chunked = await sendRawRequest(
      service.url,
      `${requestHead(
        `POST ${REGISTER} HTTP/1.1`,
        'Host: convene',
        'Connection: close',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      )}${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(chunked).toContain('"code":"PAYLOAD_TOO_LARGE"');
  });

  it('of 1,000 levels is a wrong value and no more', async () => {
    const deep = `{"username": ${'['.repeat(1_000)}${']'.repeat(1_000)}, "password": "seven quiet lanterns"}`;
    const response = await owner.send('POST', REGISTER, {
      headers: { 'content-type': 'application/json' },
      body: deep,
    });
    expectProblem(response, {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: REGISTER,
      fields: ['username'],
    });
  });

  it('of 50,000 levels is a wrong value too', async () => {
    const deep = `{"username": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const response = await owner.send('POST', REGISTER, {
      headers: { 'content-type': 'application/json' },
      body: deep,
    });
    expectProblem(response, {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: REGISTER,
      fields: ['username', 'password'],
    });
  });

  it.each(['gzip', 'br', 'identity, gzip'])('is rejected in the coding %s', async (coding) => {
    const response = await owner.send('POST', REGISTER, {
      headers: { 'content-type': 'application/json', 'content-encoding': coding },
      body: '{}',
    });
    expectProblem(response, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', instance: REGISTER });
  });
});

describe('the page of problems', () => {
  it('has an anchor for the type of every problem', async () => {
    const { text, headers } = await new TestClient(service.url).get('/problems');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const reasons = [...Object.values(CATALOGUE).flatMap((kind) => Object.keys(kind.reasons)), ...HTTP_CODES];
    for (const reason of reasons) expect(text).toContain(`<li id="${reason}">`);
    expect(text.match(/<li id=/g)).toHaveLength(reasons.length);
  });
});

describe('a response', () => {
  it("has an id of its own, or the caller's when it is safe to log", async () => {
    const own = await owner.get('/api/auth/me');
    expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const accepted = await owner.get('/api/auth/me', { 'x-request-id': 'trace-1.2_3' });
    expect(accepted.headers.get('x-request-id')).toBe('trace-1.2_3');
    for (const id of ['a b', '"x"', 'x'.repeat(65), '{"level":60}']) {
      expect((await owner.get('/api/auth/me', { 'x-request-id': id })).headers.get('x-request-id')).not.toBe(id);
    }
  });
});
