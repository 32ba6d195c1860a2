import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { TestClient } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { PASSWORD, registerUser } from '../../support/service/test-users.js';

const PATH = '/api/auth/register';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestService;
let anonymous: TestClient;

beforeAll(async () => {
  service = await startTestService();
  anonymous = new TestClient(service.url);
});
afterAll(() => service.remove());

describe('POST /api/auth/register', () => {
  it('creates an account, and returns its location and its follow-ups', async () => {
    const response = await anonymous.post(PATH, {
      username: 'Ada',
      password: PASSWORD,
      email: 'Ada@Example.org',
      display_name: 'Ada L.',
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      user_id: expect.stringMatching(UUID),
      username: 'Ada',
      email: 'Ada@Example.org',
      email_verified: false,
      display_name: 'Ada L.',
      created_at: expect.stringMatching(TIME),
      follow_ups: [
        { name: 'verify_email', status: 'queued' },
        { name: 'claim_invitation', status: 'queued' },
        { name: 'announce_registration', status: 'queued' },
      ],
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      location: '/api/auth/me',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('treats null in an optional field as an omitted field', async () => {
    const { status, body } = await anonymous.post(PATH, {
      username: 'nulla',
      password: PASSWORD,
      email: null,
      display_name: null,
      invitation: null,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email: null, display_name: null });
  });

  it.each([
    ['a token that expired', 'Bearer expired'],
    ['another scheme', 'Basic YWRhOmFkYQ=='],
    ['an unknown key', 'Bearer cvn_unknown'],
  ])('ignores %s', async (what, authorization) => {
    const { status } = await anonymous.post(
      PATH,
      { username: what.replaceAll(' ', '-'), password: PASSWORD },
      { authorization },
    );
    expect(status).toBe(201);
  });

  it('accepts a body in UTF-8 with any spelling of the charset', async () => {
    const json = JSON.stringify({ username: 'zoé', password: PASSWORD });
    const { status, body } = await anonymous.send('POST', PATH, {
      headers: { 'content-type': 'Application/JSON; Charset="UTF-8"' },
      body: json,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: 'zoé' });
  });

  it('uses the last of a repeated key', async () => {
    const { body } = await anonymous.send('POST', PATH, {
      headers: { 'content-type': 'application/json' },
      body: `{"username": "first-one", "username": "last-one", "password": "${PASSWORD}"}`,
    });
    expect(body).toMatchObject({ username: 'last-one' });
  });

  it('rejects a taken username in any case, without revealing its account', async () => {
    const { username } = await registerUser(service, 'taken-name');
    const response = await anonymous.post(PATH, { username: username.toUpperCase(), password: PASSWORD });
    expectProblem(response, { status: 409, code: 'CONFLICT', reason: 'USERNAME_TAKEN', instance: PATH });
  });

  it('creates one account for 50 concurrent requests for one name, and rejects the others alike', async () => {
    const names = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? 'wanted' : 'WANTED'));
    const responses = await Promise.all(
      names.map((username) => anonymous.post(PATH, { username, password: PASSWORD })),
    );
    const rejected = responses.filter(({ status }) => status !== 201);
    expect(rejected).toHaveLength(49);
    for (const response of rejected)
      expectProblem(response, { status: 409, code: 'CONFLICT', reason: 'USERNAME_TAKEN', instance: PATH });
  });

  it.each<[string, object, string[]]>([
    ['nothing in it', {}, ['username', 'password']],
    ['null for what is required', { username: null, password: null }, ['username', 'password']],
    [
      'values of other types',
      { username: 5, password: ['x'], email: {}, display_name: true },
      ['username', 'password', 'email', 'display_name'],
    ],
    ['an empty name', { username: '', password: PASSWORD }, ['username']],
    ['a space before the name', { username: ' bob', password: PASSWORD }, ['username']],
    ['an invisible name', { username: '\u200b\u200b\u200b', password: PASSWORD }, ['username']],
    ['a name that turns direction', { username: '\u202ealice', password: PASSWORD }, ['username']],
    ['NUL in the name', { username: 'a\u0000b', password: PASSWORD }, ['username']],
    [
      'NUL in every text',
      { username: 'a\u0000b', password: `\u0000${PASSWORD}`, display_name: 'a\u0000' },
      ['username', 'password', 'display_name'],
    ],
    ['half a character', { username: 'bob', password: PASSWORD, display_name: '\ud800' }, ['display_name']],
    ['a name of 10,000 characters', { username: 'a'.repeat(10_000), password: PASSWORD }, ['username']],
    ['no address', { username: 'bob', password: PASSWORD, email: 'canary' }, ['email']],
    [
      'an address of 255 characters',
      { username: 'bob', password: PASSWORD, email: `${'a'.repeat(243)}@example.org` },
      ['email'],
    ],
    ['an address that is empty', { username: 'bob', password: PASSWORD, email: '' }, ['email']],
    ['a role', { username: 'bob', password: PASSWORD, roles: ['ADMIN'], role: 'owner' }, ['roles', 'role']],
    [
      'an id and a time',
      { username: 'bob', password: PASSWORD, user_id: 'x', created_at: 'x', id: 'x' },
      ['user_id', 'created_at', 'id'],
    ],
    [
      'a field in the spelling of GraphQL',
      { username: 'bob', password: PASSWORD, displayName: 'Bob' },
      ['displayName'],
    ],
  ])('rejects a body with %s and returns each field', async (_, body, fields) => {
    expectProblem(await anonymous.post(PATH, body), {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      fields,
    });
  });

  it('treats `__proto__` as any other unknown field', async () => {
    const body = `{"username": "bob", "password": "${PASSWORD}", "__proto__": {"email": "bob@example.org"}}`;
    const response = await anonymous.send('POST', PATH, { headers: { 'content-type': 'application/json' }, body });
    expectProblem(response, {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: PATH,
      fields: ['__proto__'],
    });
  });

  it.each([
    ['PASSWORD_TOO_SHORT', 'short'],
    ['PASSWORD_TOO_LONG', 'x'.repeat(129)],
    ['PASSWORD_TOO_COMMON', 'password123'],
  ])('returns %s for a password that is', async (reason, password) => {
    const response = await anonymous.post(PATH, { username: 'bob', password });
    expectProblem(response, { status: 422, code: 'BAD_USER_INPUT', reason, instance: PATH, fields: ['password'] });
  });

  it('never echoes the input', async () => {
    const sent = { username: 'canary name', password: 'canary', email: 'canary@', display_name: 'canary\u0000' };
    const response = await anonymous.post(`${PATH}?`, sent, { 'x-canary': 'canary' });
    expect(response.status).toBe(422);
    expect(response.text).not.toContain('canary');
  });
});
