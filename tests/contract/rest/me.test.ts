import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createApiKeyClient, registerAdmin, registerUser } from '../../support/service/test-users.js';

const PATH = '/api/auth/me';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
});
afterAll(() => service.remove());

describe('GET /api/auth/me', () => {
  it("returns the profile of the token's user", async () => {
    const ada = await registerUser(service, 'Ada');
    const response = await ada.get(PATH);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      user_id: ada.id,
      username: 'Ada',
      email: null,
      email_verified: false,
      display_name: null,
      roles: ['user'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('returns the roles of an administrator, granted after the token was issued', async () => {
    expect((await (await registerAdmin(service)).get(PATH)).body).toMatchObject({ roles: ['user', 'admin'] });
  });

  it('returns the own profile to each of 20 users with interleaved requests', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => registerUser(service)));
    const asked = Array.from({ length: 25 }, () => users).flat();
    const responses = await Promise.all(asked.map((user) => user.get(PATH)));
    expect(responses.map(({ body }) => (body as { user_id: string }).user_id)).toEqual(asked.map(({ id }) => id));
  });

  it('rejects API clients', async () => {
    const response = await (await createApiKeyClient(service, ['groups:read'])).get(PATH);
    expectProblem(response, { status: 403, code: 'FORBIDDEN', reason: 'SCOPE_REQUIRED', instance: PATH });
  });

  it('rejects a deleted account', async () => {
    const leaver = await registerUser(service);
    await service.database.pool.query('update account set disabled_at = now() where id = $1', [leaver.id]);
    const response = await leaver.get(PATH);
    expectProblem(response, { status: 401, code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED', instance: PATH });
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('rejects query parameters', async () => {
    const ada = await registerUser(service);
    expectProblem(await ada.get(`${PATH}?verbose=1`), {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      fields: ['verbose'],
    });
  });
});
