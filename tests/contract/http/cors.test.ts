import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, registerUser } from '../../support/service/test-users.js';

const FRONT_END = 'https://app.example.org';
const OTHER = 'https://attacker.example';
/** What Apollo Sandbox asks for. */
const SANDBOX_HEADERS = 'apollo-require-preflight,authorization,content-type,x-apollo-operation-name';
const PUBLIC_DOCUMENTS = ['/openapi.json', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server'];

let service: TestService;

function request(path: string, init: RequestInit & { origin?: string } = {}): Promise<Response> {
  const { origin = FRONT_END, headers, ...rest } = init;
  return fetch(service.url + path, { ...rest, headers: { origin, ...(headers as Record<string, string>) } });
}

function preflight(path: string, method: string, origin = FRONT_END): Promise<Response> {
  return request(path, {
    method: 'OPTIONS',
    origin,
    headers: { 'access-control-request-method': method, 'access-control-request-headers': SANDBOX_HEADERS },
  });
}

function allowedOrigin(response: Response): string | null {
  return response.headers.get('access-control-allow-origin');
}

async function startWith(settings: Readonly<Record<string, string>>): Promise<void> {
  service = await startTestService({ hasher: FAKE_HASHER, settings });
}

describe('CORS with a list of origins', () => {
  beforeAll(() => startWith({ CORS_ORIGINS: `http://localhost:5173, ${FRONT_END}` }));
  afterAll(() => service.remove());

  it.each([
    ['/graphql', 'POST'],
    ['/api/auth/me', 'GET'],
    ['/api/groups/1/users/2/status', 'PATCH'],
  ])('answers a preflight of %s for %s without a token', async (path, method) => {
    const response = await preflight(path, method);

    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': FRONT_END,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH',
      'access-control-allow-headers': SANDBOX_HEADERS,
      'access-control-max-age': '7200',
    });
    expect(response.headers.get('vary')).toContain('Origin');
    expect(response.headers.get('allow')).toContain(method);
  });

  it('answers a preflight of an unknown path, so that the client sees its 404', async () => {
    expect((await preflight('/nowhere', 'GET')).ok).toBe(true);
    const response = await request('/nowhere');
    expect(response.status).toBe(404);
    expect(allowedOrigin(response)).toBe(FRONT_END);
  });

  it.each(['http://localhost:5173', FRONT_END])('lets scripts of %s read every response', async (origin) => {
    const { token } = await registerUser(service);

    const rest = await request('/api/auth/me', { origin, headers: { authorization: `Bearer ${token}` } });
    const graphql = await request('/graphql?query={__typename}', { origin });
    expect([rest.status, allowedOrigin(rest)]).toEqual([200, origin]);
    expect([graphql.status, allowedOrigin(graphql)]).toEqual([200, origin]);
    expect(rest.headers.get('access-control-expose-headers')).toBe(
      'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
    );
  });

  it.each([
    ['401', '/api/auth/me', {}, 401],
    ['405', '/api/auth/me', { method: 'DELETE' }, 405],
    ['415', '/graphql', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    ['422', '/api/auth/register', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, 422],
    ['400', '/api/auth/token', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }, 400],
  ])('sets the headers of an error %s', async (_, path, init, status) => {
    const response = await request(path, init);

    expect([response.status, allowedOrigin(response)]).toEqual([status, FRONT_END]);
  });

  it('sets no allowed origin for another origin, and never allows credentials', async () => {
    const responses = [await request('/api/auth/me', { origin: OTHER }), await preflight('/graphql', 'POST', OTHER)];

    expect(responses.map(allowedOrigin)).toEqual([null, null]);
    for (const response of [...responses, await request('/graphql')]) {
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('varies by origin also without one, so that no cache serves one origin the response of another', async () => {
    const owner = await registerUser(service);
    const group = `/api/groups/${await createGroupViaApi(owner)}`;

    for (const path of ['/api/auth/me', `${group}/accepted-count`, `${group}/members`]) {
      const response = await owner.get(path);
      expect([response.status, response.headers.get('vary')]).toEqual([200, expect.stringContaining('Origin')]);
    }
  });

  it('answers OPTIONS that is no preflight with Allow', async () => {
    const response = await request('/api/auth/me', { method: 'OPTIONS' });

    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it.each(PUBLIC_DOCUMENTS)('lets scripts of every origin read %s', async (path) => {
    const response = await request(path, { origin: OTHER });

    expect([response.status, allowedOrigin(response)]).toEqual([200, '*']);
    expect(allowedOrigin(await preflight(path, 'GET', OTHER))).toBe('*');
  });

  it('opens the stream of a subscription to the front end', async () => {
    const { token } = await registerUser(service);
    const response = await request('/graphql', {
      method: 'POST',
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ me { id } }' }),
    });

    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(allowedOrigin(response)).toBe(FRONT_END);
    await response.body?.cancel();
  });
});

describe('CORS without CORS_ORIGINS', () => {
  afterAll(() => service.remove());

  it('allows the origin of FRONTEND_URL, and no origin without it', async () => {
    await startWith({ FRONTEND_URL: `${FRONT_END}/welcome` });
    expect(allowedOrigin(await request('/graphql?query={__typename}'))).toBe(FRONT_END);
    await service.remove();

    await startWith({});
    expect(allowedOrigin(await request('/graphql?query={__typename}'))).toBeNull();
    expect(allowedOrigin(await preflight('/graphql', 'POST'))).toBeNull();
    expect(allowedOrigin(await request('/.well-known/jwks.json'))).toBe('*');
  });
});

describe('CORS with CORS_ORIGINS=*', () => {
  beforeAll(() => startWith({ CORS_ORIGINS: '*' }));
  afterAll(() => service.remove());

  it('allows every origin without credentials', async () => {
    const response = await request('/api/auth/me', { origin: OTHER });

    expect(allowedOrigin(response)).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
