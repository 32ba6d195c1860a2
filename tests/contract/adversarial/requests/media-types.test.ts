import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../../../src/rest/index.js';
import { requestHead, sendRawRequest } from '../../../support/http/raw-http.js';
import { TestClient, type TestResponse } from '../../../support/http/test-client.js';
import { FAKE_HASHER } from '../../../support/service/test-core.js';
import { startTestService, type TestService } from '../../../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../../support/service/test-users.js';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const PATCH = 'application/merge-patch+json';
const TOKEN = '/api/auth/token';

let service: TestService;
let anonymous: TestClient;
let ada: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  anonymous = new TestClient(service.url);
  ada = await registerUser(service, 'ada');
  groupId = await createGroupViaApi(ada);
});
afterAll(() => service.remove());

/** The body of each path that takes one. The name is unused each time. */
const BODIES: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  '/api/auth/register': () => ({ username: `new-${Math.random().toString(36).slice(2)}`, password: PASSWORD }),
  [TOKEN]: () => ({ username: 'ada', password: PASSWORD }),
  '/api/auth/revoke': () => ({ token: 'unknown' }),
  '/api/groups/:group_id/users/:user_id/status': () => ({ status: 'declined' }),
};
const ROWS = ROUTES.filter(({ body }) => body !== 'none');
const READ: Readonly<Record<string, readonly string[]>> = {
  json: [JSON_TYPE],
  'json-or-form': [JSON_TYPE, FORM],
  'json-or-merge-patch': [JSON_TYPE, PATCH],
};

const json = (path: string): string => JSON.stringify(BODIES[path]?.());
const form = (path: string): string => new URLSearchParams(BODIES[path]?.()).toString();

function send(path: string, method: string, type: string | null, body: string): Promise<TestResponse> {
  const url = path.replace(':group_id', groupId).replace(':user_id', ada.id);
  // `fetch` adds no type of its own to bytes.
  return ada.send(method, url, {
    headers: type === null ? {} : { 'content-type': type },
    body: new TextEncoder().encode(body),
  });
}

async function changes(): Promise<unknown> {
  return (
    await service.database.pool.query(
      `
        select (select count(*) from account) as accounts, (select count(*) from session) as sessions,
          (select sum(revision) from groups) as revisions`,
    )
  ).rows;
}

const AS_JSON = [
  'application/json',
  'APPLICATION/Json',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ; charset=UTF-8',
  'application/json; charset=utf-8; v=1',
];
const AS_FORM = [FORM, 'Application/X-WWW-Form-Urlencoded', `${FORM}; charset=UTF-8`, `${FORM};charset=utf-8`];
const AS_NOTHING_READ = [
  null,
  '',
  'text/plain',
  'text/plain;charset=UTF-8',
  'text/plain; application/json',
  'application/json, text/plain',
  'text/plain, application/json',
  'text/json',
  'application/jsonx',
  'application/vnd.api+json',
  'application/problem+json',
  'application/graphql',
  'application/xml',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
  `${FORM}; charset=iso-8859-1`,
  'application',
  '*/*',
  'nonsense',
];

describe.each(ROWS.map((row) => [row.path, row] as const))('a body for %s', (path, { method, body, success }) => {
  const read = READ[body] ?? [];

  it('is parsed as JSON under every spelling of the media type', async () => {
    for (const type of AS_JSON)
      expect([type, (await send(path, method, type, json(path))).status]).toEqual([type, success]);
  });

  it('is parsed as a form only on paths that accept forms', async () => {
    const before = await changes();
    for (const type of AS_FORM)
      expect([type, (await send(path, method, type, form(path))).status]).toEqual([
        type,
        read.includes(FORM) ? success : 415,
      ]);
    if (!read.includes(FORM)) expect(await changes()).toEqual(before);
  });

  it('is rejected without a write under any other media type', async () => {
    const before = await changes();
    for (const type of AS_NOTHING_READ) {
      for (const text of [json(path), form(path)])
        expect([type, (await send(path, method, type, text)).status]).toEqual([type, 415]);
    }
    for (const text of [form(path), '', ' ', '[]', `[${json(path)}]`, '"text"', `${json(path)}x`])
      expect([text, (await send(path, method, JSON_TYPE, text)).status]).toEqual([text, 400]);
    expect(await changes()).toEqual(before);
  });

  it('is not parsed as a form when it is JSON, and is not echoed', async () => {
    if (!read.includes(FORM)) return;
    const before = await changes();
    const response = await send(path, method, FORM, json(path));
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: 'invalid_request', reason: 'INVALID_INPUT' });
    expect(response.text).not.toContain(PASSWORD);
    expect(await changes()).toEqual(before);
  });
});

describe('a login', () => {
  const ODD = 'a+b c&d=e%f;g\u00e9\u{1f3ee}"\\';
  beforeAll(() => anonymous.post('/api/auth/register', { username: 'odd-one', password: ODD }));

  const logIn = (type: string, body: string): Promise<TestResponse> =>
    anonymous.send('POST', TOKEN, { headers: { 'content-type': type }, body });

  it('returns the same response as JSON and as a form, whatever the password contains', async () => {
    const responses = [
      await logIn(JSON_TYPE, JSON.stringify({ username: 'odd-one', password: ODD })),
      await logIn(FORM, new URLSearchParams({ username: 'odd-one', password: ODD }).toString()),
    ];
    const [asJson, asForm] = responses.map(({ status, headers, body }) => ({
      status,
      type: headers.get('content-type'),
      cache: headers.get('cache-control'),
      kinds: Object.entries(body as object).map(([key, value]) => [key, typeof value]),
      user: (body as { user_id: unknown }).user_id,
    }));
    expect(asJson?.status).toBe(200);
    expect(asForm).toEqual(asJson);
  });

  it.each([
    ['the last of a repeated member', `{"username": "nobody", "password": "${PASSWORD}", "username": "ada"}`, 200],
    [
      'the last of a repeated member, though one before was right',
      `{"username": "ada", "password": "${PASSWORD}", "password": "not the password"}`,
      401,
    ],
    [
      'the last of a repeated grant type',
      `{"grant_type": "refresh_token", "username": "ada", "password": "${PASSWORD}", "grant_type": "password"}`,
      200,
    ],
    ['a member written with escapes', `{"\\u0075sername": "ada", "password": "${PASSWORD}"}`, 200],
    ['no member in another case', `{"Username": "ada", "Password": "${PASSWORD}"}`, 422],
    ['nothing of a prototype', `{"__proto__": {"username": "ada", "password": "${PASSWORD}"}}`, 422],
    ['nothing of a constructor', `{"constructor": {"prototype": {"username": "ada"}}, "password": "${PASSWORD}"}`, 422],
    ['JSON after a byte order mark', `\ufeff{"username": "ada", "password": "${PASSWORD}"}`, 200],
    ['no comments', `{"username": "ada", /* who */ "password": "${PASSWORD}"}`, 400],
    ['no single quotes', `{'username': 'ada', 'password': '${PASSWORD}'}`, 400],
  ])('parses from JSON %s', async (_, body, status) => {
    expect((await logIn(JSON_TYPE, body)).status).toBe(status);
  });

  it.each([
    ['repeats the password', `username=ada&password=${PASSWORD}&password=x`, 'invalid_request'],
    ['repeats a parameter that is not known', `username=ada&password=${PASSWORD}&scope=a&scope=b`, 'invalid_request'],
    ['repeats a parameter in another spelling', `username=ada&%75sername=ada&password=${PASSWORD}`, 'invalid_request'],
    ['has lists in the way of PHP', `username[]=ada&password[]=${PASSWORD}`, 'invalid_request'],
    ['has a prototype', `__proto__=x&username=ada&password=${PASSWORD}`, undefined],
    ['has empty parameters', 'username=&password=', 'invalid_grant'],
    ['has no values', 'username&password', 'invalid_grant'],
    ['is cut off in an escape', `username=ada&password=${PASSWORD}%2`, 'invalid_grant'],
  ])('parses a form that %s', async (_, body, error) => {
    const response = await logIn(FORM, body.replaceAll(' ', '+'));
    expect([response.status, (response.body as { error?: string }).error]).toEqual([
      error === undefined ? 200 : 400,
      error,
    ]);
  });

  it('reads nothing from the URL, with any body (netlify/gotrue#255)', async () => {
    const query = new URLSearchParams({ username: 'ada', password: PASSWORD, grant_type: 'password' }).toString();
    const before = await changes();
    const requests: [string, string, string | null, string, number][] = [
      ['POST', `${TOKEN}?${query}`, null, '', 422],
      ['POST', `${TOKEN}?${query}`, JSON_TYPE, '', 400],
      ['POST', `${TOKEN}?${query}`, FORM, '', 400],
      ['POST', `${TOKEN}?${query}`, JSON_TYPE, '{}', 422],
      ['POST', `${TOKEN}?${query}`, FORM, 'scope=all', 400],
      ['POST', `${TOKEN}?${query}`, JSON_TYPE, json(TOKEN), 422],
      ['POST', `/api/auth/register?username=from-the-url&password=${PASSWORD}`, JSON_TYPE, '{}', 422],
      ['POST', '/api/auth/revoke?token=x', JSON_TYPE, '{}', 422],
      ['GET', `${TOKEN}?${query}`, null, '', 405],
      ['GET', `/api/auth/register?${query}`, null, '', 405],
    ];
    for (const [method, url, type, body, status] of requests) {
      const response = await anonymous.send(method, url, {
        headers: type === null ? {} : { 'content-type': type },
        ...(method === 'GET' ? {} : { body: new TextEncoder().encode(body) }),
      });
      expect([method, url, type, body, response.status]).toEqual([method, url, type, body, status]);
      expect(response.text).not.toMatch(/access_token|lanterns/);
    }
    expect(await changes()).toEqual(before);
  });

  it('rejects two media types in one request', async () => {
    const body = json(TOKEN);
    const response = await sendRawRequest(
      service.url,
      requestHead(
        `POST ${TOKEN} HTTP/1.1`,
        'Host: convene',
        'Connection: close',
        'Content-Type: text/plain',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ) + body,
    );
    expect(response).toMatch(/^HTTP\/1\.1 4(00|15) /);
  });
});
