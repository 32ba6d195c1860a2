import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { TestClient, type TestResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';

const PATH = '/api/auth/token';
const JSON_TYPE = 'application/json; charset=utf-8';
const FORM = 'application/x-www-form-urlencoded';

let service: TestService;
let anonymous: TestClient;
let ada: TestUser;

beforeAll(async () => {
  service = await startTestService();
  anonymous = new TestClient(service.url);
  ada = await registerUser(service, 'ada');
});
afterAll(() => service.remove());

function form(fields: Readonly<Record<string, string>>, contentType = FORM): Promise<TestResponse> {
  return anonymous.send('POST', PATH, {
    headers: { 'content-type': contentType },
    body: new URLSearchParams(fields).toString(),
  });
}

describe('POST /api/auth/token', () => {
  it('exchanges a name and a password for tokens', async () => {
    const response = await anonymous.post(PATH, { username: 'ada', password: PASSWORD });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 900,
      user_id: ada.id,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
    });
  });

  it('returns the same members for a form as for JSON', async () => {
    const [asJson, asForm] = await Promise.all([
      anonymous.post(PATH, { username: 'ada', password: PASSWORD }),
      form({ username: 'ada', password: PASSWORD }),
    ]);
    expect(asForm.status).toBe(200);
    expect(asForm.headers.get('content-type')).toBe(asJson.headers.get('content-type'));
    expect(Object.keys(asForm.body as object)).toEqual(Object.keys(asJson.body as object));
  });

  it.each(['', 'password'])('accepts the grant type "%s"', async (grant_type) => {
    expect((await form({ grant_type, username: 'ada', password: PASSWORD })).status).toBe(200);
    expect((await anonymous.post(PATH, { grant_type, username: 'ada', password: PASSWORD })).status).toBe(200);
  });

  it('ignores unknown members, as OAuth requires', async () => {
    const extra = { username: 'ada', password: PASSWORD, scope: 'all', client_id: 'x', role: 'owner', user_id: 'x' };
    expect((await form(extra)).status).toBe(200);
    expect((await anonymous.post(PATH, extra)).status).toBe(200);
  });

  it.each(['ADA', 'Ada', 'ada'])('accepts the username %s', async (username) => {
    expect((await anonymous.post(PATH, { username, password: PASSWORD })).status).toBe(200);
  });

  it.each(['Bearer stale', 'Basic YWRhOmFkYQ==', 'nonsense'])('ignores "Authorization: %s"', async (authorization) => {
    expect((await anonymous.post(PATH, { username: 'ada', password: PASSWORD }, { authorization })).status).toBe(200);
  });

  it.each([
    ['an unknown name', { username: 'nobody', password: PASSWORD }],
    ['a wrong password', { username: 'ada', password: `${PASSWORD}!` }],
    ['an impossible name', { username: 'a\u0000b', password: PASSWORD }],
    ['a padded name', { username: ' ada', password: PASSWORD }],
    ['a name of 90,000 characters', { username: 'a'.repeat(90_000), password: PASSWORD }],
    ['an empty password', { username: 'ada', password: '' }],
  ])('returns the same error for %s', async (_, credentials) => {
    const response = await anonymous.post(PATH, credentials);
    expectProblem(response, {
      status: 401,
      code: 'UNAUTHENTICATED',
      reason: 'WRONG_CREDENTIALS',
      instance: PATH,
      oauthError: 'invalid_grant',
    });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.body).toMatchObject({ detail: 'The username or the password is wrong.' });
  });

  it('rejects a form with JSON of the same members, which OAuth clients read', async () => {
    expectProblem(await form({ username: 'ada', password: 'wrong' }), {
      status: 400,
      code: 'UNAUTHENTICATED',
      reason: 'WRONG_CREDENTIALS',
      instance: PATH,
      oauthError: 'invalid_grant',
      contentType: JSON_TYPE,
    });
  });

  it('returns the fields that are missing or of another type', async () => {
    const expected = {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      oauthError: 'invalid_request',
    };
    expectProblem(await anonymous.post(PATH, {}), { ...expected, fields: ['username', 'password'] });
    expectProblem(await anonymous.post(PATH, { username: 5, password: null }), {
      ...expected,
      fields: ['username', 'password'],
    });
    expectProblem(await form({ username: 'ada' }), {
      ...expected,
      status: 400,
      fields: ['password'],
      contentType: JSON_TYPE,
    });
  });

  it.each(['client_credentials', 'PASSWORD'])('rejects the grant type "%s"', async (grant_type) => {
    expectProblem(await form({ grant_type, username: 'ada', password: PASSWORD }), {
      status: 400,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      fields: ['grant_type'],
      oauthError: 'unsupported_grant_type',
      contentType: JSON_TYPE,
    });
  });

  it('reads no secrets from the URL', async () => {
    const response = await anonymous.send('POST', `${PATH}?username=ada&password=canary`, { json: {} });
    expectProblem(response, {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      fields: ['username', 'password'],
      oauthError: 'invalid_request',
    });
    expect(response.text).not.toContain('canary');
  });

  it.each<[string, number, string, string]>([
    ['a form labelled JSON', 400, 'application/json', 'username=ada&password=canary'],
    ['no body', 400, 'application/json', ''],
    ['an empty form', 400, FORM, ''],
    ['a list', 400, 'application/json', '[{"username": "canary"}]'],
    ['a text', 400, 'application/json', '"canary"'],
    ['null', 400, 'application/json', 'null'],
    ['half of it', 400, 'application/json', '{"username": "canary'],
    ['a form that repeats a parameter', 400, FORM, 'username=ada&password=canary&password=canary'],
    ['bytes that are no text', 400, 'application/json', '\ud800'],
    ['plain text', 415, 'text/plain', 'canary'],
    ['XML', 415, 'application/xml', '<username>canary</username>'],
    ['a form of parts', 415, 'multipart/form-data; boundary=x', '--x--'],
    ['JSON in UTF-16', 415, 'application/json; charset=utf-16', '{}'],
    ['a merge patch', 415, 'application/merge-patch+json', '{}'],
    ['a type that only begins like JSON', 415, 'application/jsonx', '{}'],
  ])('rejects %s with %i', async (what, status, type, text) => {
    const body = what === 'bytes that are no text' ? new Uint8Array([0x22, 0xc3, 0x28, 0x22]) : text;
    const response = await anonymous.send('POST', PATH, { headers: { 'content-type': type }, body });
    const code = status === 400 ? 'MALFORMED_REQUEST' : 'UNSUPPORTED_MEDIA_TYPE';
    expectProblem(response, {
      status,
      code,
      instance: PATH,
      oauthError: 'invalid_request',
      contentType: type === FORM ? JSON_TYPE : undefined,
    });
    expect(response.text).not.toContain('canary');
  });

  it('treats JSON labelled as a form as a form without its members', async () => {
    const response = await anonymous.send('POST', PATH, {
      headers: { 'content-type': FORM },
      body: JSON.stringify({ username: 'ada', password: 'canary' }),
    });
    expectProblem(response, {
      status: 400,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      fields: ['username', 'password'],
      oauthError: 'invalid_request',
      contentType: JSON_TYPE,
    });
    expect(response.text).not.toContain('canary');
  });

  it('rejects a request without Content-Type and body', async () => {
    const response = await anonymous.send('POST', PATH);
    expectProblem(response, { status: 400, code: 'MALFORMED_REQUEST', instance: PATH, oauthError: 'invalid_request' });
  });

  it('immediately rejects 20 passwords of 5 MB, while other requests are served', async () => {
    const body = JSON.stringify({ username: 'ada', password: 'x'.repeat(5_000_000) });
    const floods = Array.from({ length: 20 }, () =>
      anonymous.send('POST', PATH, { headers: { 'content-type': 'application/json' }, body }).catch(() => null),
    );
    expect((await ada.get('/api/auth/me')).status).toBe(200);
    // A client that is still sending may see the connection end before the response.
    const responses = (await Promise.all(floods)).filter((response) => response !== null);
    for (const response of responses)
      expectProblem(response, {
        status: 413,
        code: 'PAYLOAD_TOO_LARGE',
        instance: PATH,
        oauthError: 'invalid_request',
      });
  });
});
