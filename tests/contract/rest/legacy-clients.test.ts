import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRecord } from '../../../src/errors/index.js';
import { sendRawRequest } from '../../support/http/raw-http.js';
import { parseRawResponse } from '../../support/http/raw-response.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { createGroupViaApi, PASSWORD, registerUser, type TestUser } from '../../support/service/test-users.js';

interface LegacyRequest {
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';
const STATUS = '{"status":"accepted"}';
const LOGIN = `username=$USERNAME&password=${encodeURIComponent(PASSWORD)}`;
const ME = 'GET /api/auth/me HTTP/1.1';
const PATCH = 'PATCH /api/groups/$GROUP/users/$USER/status HTTP/1.1';
const BEARER = 'Authorization: Bearer $TOKEN';

/** By the first column of the table in docs/rest.md: the request, and the status or reason of its response. */
const HABITS: Readonly<Record<string, readonly [request: LegacyRequest, outcome: number | string]>> = {
  'trailing slash': [{ line: 'GET /api/auth/me/ HTTP/1.1', headers: [BEARER] }, 200],
  'repeated slashes': [{ line: 'GET //api/auth/me HTTP/1.1', headers: [BEARER] }, 'ROUTE_NOT_FOUND'],
  'path in upper case': [{ line: 'GET /API/auth/me HTTP/1.1', headers: [BEARER] }, 'ROUTE_NOT_FOUND'],
  '`/api/v1/…`': [{ line: 'GET /api/v1/auth/me HTTP/1.1', headers: [BEARER] }, 'ROUTE_NOT_FOUND'],
  'HTTP/1.0, also without Host': [{ line: 'GET /api/auth/me HTTP/1.0', headers: [BEARER] }, 200],
  '`Expect: 100-continue`': [
    { line: 'POST /api/auth/token HTTP/1.1', headers: [FORM_TYPE, 'Expect: 100-continue'], body: LOGIN },
    200,
  ],
  '`Authorization: bearer …` in lower case': [{ line: ME, headers: ['authorization: bearer $TOKEN'] }, 200],
  '`Authorization: Token …`, or the token alone': [{ line: ME, headers: ['Authorization: $TOKEN'] }, 'TOKEN_INVALID'],
  '`?token=…` or `?access_token=…`': [{ line: 'GET /api/auth/me?access_token=$TOKEN HTTP/1.1' }, 'TOKEN_MISSING'],
  'token in a cookie': [{ line: ME, headers: ['Cookie: token=$TOKEN'] }, 'TOKEN_MISSING'],
  'login by a form': [{ line: 'POST /api/auth/token HTTP/1.1', headers: [FORM_TYPE], body: LOGIN }, 200],
  'login with `client_id`, `scope` or an empty `grant_type`': [
    {
      line: 'POST /api/auth/token HTTP/1.1',
      headers: [FORM_TYPE],
      body: `${LOGIN}&client_id=old&scope=read&grant_type=`,
    },
    200,
  ],
  'login by HTTP Basic without a body': [
    { line: 'POST /api/auth/token HTTP/1.1', headers: ['Authorization: Basic YWRhOng='] },
    'MALFORMED_REQUEST',
  ],
  'login by `multipart/form-data`': [
    {
      line: 'POST /api/auth/token HTTP/1.1',
      headers: ['Content-Type: multipart/form-data; boundary=x'],
      body: '--x--',
    },
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  'registration by a form': [
    { line: 'POST /api/auth/register HTTP/1.1', headers: [FORM_TYPE], body: LOGIN },
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  '`null` for an optional field': [
    {
      line: 'POST /api/auth/register HTTP/1.1',
      headers: [JSON_TYPE],
      body: JSON.stringify({ username: 'legacy-null', password: PASSWORD, email: null }),
    },
    201,
  ],
  'field names in camelCase': [
    {
      line: 'POST /api/auth/register HTTP/1.1',
      headers: [JSON_TYPE],
      body: JSON.stringify({ username: 'legacy-camel', password: PASSWORD, displayName: 'Ada' }),
    },
    'INVALID_INPUT',
  ],
  'additional fields': [
    { line: PATCH, headers: [BEARER, JSON_TYPE], body: '{"status":"accepted","comment":"yes"}' },
    'INVALID_INPUT',
  ],
  'PUT or POST instead of PATCH': [
    { line: PATCH.replace('PATCH', 'PUT'), headers: [BEARER, JSON_TYPE], body: STATUS },
    'METHOD_NOT_ALLOWED',
  ],
  '`X-HTTP-Method-Override`': [
    {
      line: PATCH.replace('PATCH', 'POST'),
      headers: [BEARER, JSON_TYPE, 'X-HTTP-Method-Override: PATCH'],
      body: STATUS,
    },
    'METHOD_NOT_ALLOWED',
  ],
  'status in upper case': [
    { line: PATCH, headers: [BEARER, JSON_TYPE], body: '{"status":"ACCEPTED"}' },
    'INVALID_INPUT',
  ],
  'JSON without `Content-Type`': [{ line: PATCH, headers: [BEARER], body: STATUS }, 'UNSUPPORTED_MEDIA_TYPE'],
  '`Content-Type: text/json`': [
    { line: PATCH, headers: [BEARER, 'Content-Type: text/json'], body: STATUS },
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  '`application/json; charset=utf-8`': [
    { line: PATCH, headers: [BEARER, 'Content-Type: application/json; charset=utf-8'], body: STATUS },
    200,
  ],
  'another charset, such as ISO 8859-1': [
    { line: PATCH, headers: [BEARER, 'Content-Type: application/json; charset=iso-8859-1'], body: STATUS },
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  'byte order mark before the JSON': [{ line: PATCH, headers: [BEARER, JSON_TYPE], body: `\ufeff${STATUS}` }, 200],
  'JSON that is no object': [{ line: PATCH, headers: [BEARER, JSON_TYPE], body: '["accepted"]' }, 'MALFORMED_REQUEST'],
  'compressed request body': [
    { line: PATCH, headers: [BEARER, JSON_TYPE, 'Content-Encoding: gzip'], body: STATUS },
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  'body in a GET request': [{ line: ME, headers: [BEARER, JSON_TYPE], body: '{}' }, 200],
  'id in upper case': [{ line: 'GET /api/groups/$UPPER/members HTTP/1.1', headers: [BEARER] }, 200],
  'numeric id, or UUID without hyphens': [
    { line: 'GET /api/groups/1/members HTTP/1.1', headers: [BEARER] },
    'INVALID_INPUT',
  ],
  '`?page=2`, `?callback=…` and other query parameters': [
    { line: 'GET /api/groups/$GROUP/members?page=2 HTTP/1.1', headers: [BEARER] },
    'INVALID_INPUT',
  ],
  '`Accept` of a browser (`text/html, …, */*`)': [
    { line: ME, headers: [BEARER, 'Accept: text/html,application/xhtml+xml,*/*;q=0.8'] },
    200,
  ],
  '`Accept: text/html` or `application/xml` only': [
    { line: ME, headers: [BEARER, 'Accept: application/xml'] },
    'NOT_ACCEPTABLE',
  ],
};

describe('legacy clients', () => {
  let service: TestService;
  let user: TestUser;
  let groupId: string;

  beforeAll(async () => {
    service = await startTestService({ hasher: FAKE_HASHER });
    user = await registerUser(service);
    groupId = await createGroupViaApi(user);
  });
  afterAll(() => service.remove());

  function fill(text: string): string {
    return text
      .replaceAll('$TOKEN', user.token)
      .replaceAll('$USERNAME', user.username)
      .replaceAll('$USER', user.id)
      .replaceAll('$GROUP', groupId)
      .replaceAll('$UPPER', groupId.toUpperCase());
  }

  function requestOf({ line, headers = [], body = '' }: LegacyRequest): string {
    const filled = fill(body);
    const host = line.endsWith('1.1') ? ['Host: convene'] : [];
    const length = body === '' ? [] : [`Content-Length: ${String(Buffer.byteLength(filled))}`];
    return `${[line, ...host, ...headers, ...length, 'Connection: close'].map(fill).join('\r\n')}\r\n\r\n${filled}`;
  }

  it.each(Object.entries(HABITS))('with the habit "%s" get the documented response', async (_, [request, outcome]) => {
    const raw = await sendRawRequest(service.url, requestOf(request));
    const { status, body } = parseRawResponse(raw.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''));
    expect(typeof outcome === 'number' ? status : isRecord(body) && body.reason).toBe(outcome);
  });

  it('are described by a table whose rows are those of this test', () => {
    const page = readFileSync(new URL('../../../docs/rest.md', import.meta.url), 'utf8');
    const section = page.split('\n## Legacy clients\n')[1]?.split('\n## ')[0] ?? '';
    const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \|/gm)].filter(([, habit]) => habit !== 'habit');
    expect(rows.map(([, habit]) => habit).filter((habit) => !/^-+$/.test(habit ?? ''))).toEqual(Object.keys(HABITS));
    for (const [, habit = '', outcome = ''] of rows) {
      const expected = String(HABITS[habit]?.[1] ?? '---');
      expect(`${habit}: ${outcome}`).toContain(expected);
    }
  });
});
