import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { fakeClock } from '../../support/fake-clock.js';
import { expectProblem } from '../../support/http/expect-problem.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { TestClient } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { registerUser, type TestUser } from '../../support/service/test-users.js';

const ME = '/api/auth/me';

let service: TestService;
let ada: TestUser;
const clock = fakeClock();

beforeAll(async () => {
  service = await startTestService({ clock });
  ada = await registerUser(service, 'ada');
});
afterAll(() => service.remove());

/** Sends the header unchanged. `fetch` would trim it. */
function withHeaders(...lines: string[]): Promise<string> {
  return sendRawRequest(service.url, requestHead(`GET ${ME} HTTP/1.1`, 'Host: convene', 'Connection: close', ...lines));
}

describe('a bearer token', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'BeArEr'])('is accepted with the scheme spelt %s', async (scheme) => {
    expect((await new TestClient(service.url).get(ME, { authorization: `${scheme} ${ada.token}` })).status).toBe(200);
  });

  it('is accepted after several spaces, and before some', async () => {
    expect(await withHeaders(`Authorization: Bearer   ${ada.token}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await withHeaders(`Authorization: Bearer ${ada.token}  `)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("is accepted in any case of the header's name", async () => {
    expect(await withHeaders(`aUTHORIZATION: Bearer ${ada.token}`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each<[string, (token: string) => string[]]>([
    ['after a tab', (token) => [`Bearer\t${token}`]],
    ['without its scheme', (token) => [token]],
    ['under another scheme', (token) => [`Basic ${token}`]],
    ['followed by another', (token) => [`Bearer ${token} ${token}`]],
    ['in a list', (token) => [`Bearer ${token}, Bearer ${token}`]],
    ['in quotes', (token) => [`Bearer "${token}"`]],
    ['sent twice', (token) => [`Bearer ${token}`, `Bearer ${token}`]],
    ['beside another', (token) => [`Basic YTpi`, `Bearer ${token}`]],
    ['that is missing', () => ['Bearer']],
    ['that is empty', () => ['Bearer ']],
    ['of 8,000 characters', () => [`Bearer ${'x'.repeat(8_000)}`]],
    ['that is no token', () => ['Bearer canary']],
    ['that is no known key', () => ['Bearer cvn_canary']],
    ['with bytes beyond ASCII', () => ['Bearer t\u00f6ken']],
  ])('is rejected %s', async (_, headers) => {
    const response = await withHeaders(...headers(ada.token).map((value) => `Authorization: ${value}`));
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).toContain('www-authenticate: Bearer error="invalid_token"\r\n');
    expect(response).toContain('"reason":"TOKEN_INVALID"');
    expect(response).not.toContain('canary');
  });

  it('is required with a challenge without an error code', async () => {
    const response = await new TestClient(service.url).get(ME);
    expectProblem(response, { status: 401, code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING', instance: ME });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is not read from the URL or a body', async () => {
    const { token } = ada;
    const anonymous = new TestClient(service.url);
    expect((await anonymous.get(`${ME}?access_token=${token}`)).status).toBe(401);
    expect(
      (await anonymous.patch('/api/groups/x/users/y/status', { status: 'accepted', access_token: token })).status,
    ).toBe(401);
  });

  it('is rejected as expired after its lifetime', async () => {
    const { token } = await registerUser(service);
    clock.advance(16 * MINUTE_MS);
    const response = await ada.with(token).get(ME);
    expectProblem(response, { status: 401, code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED', instance: ME });
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('is ignored on public paths when it is expired', async () => {
    const { data } = await ada.graphql('{ __typename }');
    expect(data).toEqual({ __typename: 'Query' });
    const { status } = await ada.post('/api/auth/token', { username: 'ada', password: 'seven quiet lanterns' });
    expect(status).toBe(200);
  });
});

describe('a path that requires a token', () => {
  const id = '0190c2a0-0000-7000-8000-000000000000';

  it.each([
    ['GET', ME],
    ['GET', `/api/groups/${id}/accepted-count`],
    ['GET', `/api/groups/${id}/members`],
    ['GET', `/api/groups/${id}/compatibility_score`],
    ['PATCH', `/api/groups/${id}/users/${id}/status`],
    ['GET', '/api/groups/nonsense/members?limit=0&status=nonsense&unknown=1'],
  ])('returns 401 before any other error: %s %s', async (method, path) => {
    const body = method === 'PATCH' ? { headers: { 'content-type': 'text/plain' }, body: 'nonsense' } : {};
    const response = await new TestClient(service.url).send(method, path, body);
    expectProblem(response, {
      status: 401,
      code: 'UNAUTHENTICATED',
      reason: 'TOKEN_MISSING',
      instance: path.split('?')[0] ?? '',
    });
  });
});
