import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTES } from '../../../src/rest/index.js';
import type { RestRoute } from '../../../src/rest/routes/route.js';
import { startFaultProxy, type FaultProxy } from '../../support/database/fault-proxy.js';
import { isLockAwaited } from '../../support/database/lock-waits.js';
import { withStoppedKeys } from '../../support/database/stop-at-saved-key.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { OpenApiContract } from '../../support/http/openapi-contract.js';
import { sendRawRequest } from '../../support/http/raw-http.js';
import { parseRawResponse } from '../../support/http/raw-response.js';
import { TestClient, type Request, type TestResponse } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';
import { waitUntil } from '../../support/wait-until.js';

type OperationId = (typeof ROUTES)[number]['operationId'];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const TOO_LARGE = 'x'.repeat(110_000);
/** More than one page, so that the complete list is streamed. */
const MEMBERS = 1_200;
/** More list requests than one caller may have waiting. */
const FLOOD = 40;

const clock = { isBroken: false, offsetMs: 0, now: () => currentTime() };

let database: TestDatabase;
let proxy: FaultProxy;
let service: TestService;
let limited: TestService;
let contract: OpenApiContract;
let owner: TestUser;
let guest: TestUser;
let groupId: string;
let largeGroupId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFaultProxy(database.url);
  service = await startTestService({ clock, hasher: FAKE_HASHER, settings: { DATABASE_URL: proxy.url } });
  limited = await startTestService({
    hasher: FAKE_HASHER,
    settings: { RATE_LIMITS: 'on', LIMIT_REGISTER: '1/1h', LIMIT_LOGIN: '1/15m' },
  });
  contract = new OpenApiContract(
    (await new TestClient(service.url).get('/openapi.json')).body as Record<string, unknown>,
  );
  [owner, guest] = [await registerUser(service), await registerUser(service)];
  groupId = await createGroupViaApi(owner, [guest]);
  largeGroupId = await createGroupViaApi(owner);
  const ids = await insertAccounts(service, MEMBERS);
  for (let from = 0; from < ids.length; from += 500)
    await inviteUsers(owner, largeGroupId, ids.slice(from, from + 500));
});
afterAll(async () => {
  await limited.remove();
  await service.remove();
  await proxy.stop();
  await database.drop();
});

function currentTime(): Date {
  if (clock.isBroken) throw new TypeError('the clock is broken');
  return new Date(Date.now() + clock.offsetMs);
}

function expectDocumented(operation: OperationId, status: number, response: TestResponse): void {
  expect({ status: response.status, differences: contract.findDifferences(operation, response) }).toEqual({
    status,
    differences: [],
  });
}

/** A body with which each path succeeds for `guest`. */
function bodyOf(operation: OperationId): object | undefined {
  switch (operation) {
    case 'register':
      return { username: `p-${randomBytes(6).toString('hex')}`, password: PASSWORD };
    case 'issueToken':
      return { username: guest.username, password: PASSWORD };
    case 'revokeToken':
      return { token: guest.token.slice(1) };
    case 'updateMemberStatus':
      return { status: 'accepted' };
    default:
      return undefined;
  }
}

function routeOf(operation: OperationId): RestRoute {
  const route = ROUTES.find(({ operationId }) => operationId === operation);
  if (route === undefined) throw new Error(`There is no operation ${operation}`);
  return route;
}

function pathOf(operation: OperationId, group = groupId, user = guest.id): string {
  return routeOf(operation).path.replace(':group_id', group).replace(':user_id', user);
}

/** Sends the request with which the path succeeds for `guest`, with changes. */
function send(operation: OperationId, changes: Request & SendChanges = {}): Promise<TestResponse> {
  const { client = guest, query = '', path = pathOf(operation), ...request } = changes;
  const json = 'body' in request ? undefined : bodyOf(operation);
  return client.send(routeOf(operation).method, path + query, {
    ...(json === undefined ? {} : { json }),
    ...request,
  });
}

interface SendChanges {
  readonly client?: TestClient;
  readonly path?: string;
  readonly query?: string;
}

function anonymous(): TestClient {
  return new TestClient(service.url);
}

/** The beginning of a request's head, which an empty line would end. */
function headOf(operation: OperationId): string {
  return `${routeOf(operation).method} ${pathOf(operation)} HTTP/1.1\r\nHost: convene\r\n`;
}

async function sendRaw(request: string): Promise<TestResponse> {
  const { headers, ...response } = parseRawResponse(await sendRawRequest(service.url, request));
  return { ...response, headers: new Headers(headers) };
}

describe.each(ROUTES)('the documented responses of $operationId', ({ operationId, needsToken, body, success }) => {
  it('contain a success', async () => {
    expectDocumented(operationId, success, await send(operationId));
  });

  it('contain an undecodable query, an unacceptable media type and an unknown query parameter', async () => {
    expectDocumented(operationId, 400, await send(operationId, { query: '?x=%' }));
    expectDocumented(operationId, 406, await send(operationId, { headers: { accept: 'text/html' } }));
    expectDocumented(operationId, 422, await send(operationId, { query: '?other=1' }));
  });

  it('contain errors of the token', async () => {
    if (!needsToken) return;
    expectDocumented(operationId, 401, await send(operationId, { client: anonymous() }));
    expectDocumented(operationId, 401, await send(operationId, { client: guest.with('nonsense') }));
  });

  it('contain errors of the body', async () => {
    if (body === 'none') return;
    const json = { 'content-type': 'application/json' };
    expectDocumented(operationId, 400, await send(operationId, { headers: json, body: '[]' }));
    expectDocumented(operationId, 413, await send(operationId, { headers: json, body: TOO_LARGE }));
    expectDocumented(
      operationId,
      415,
      await send(operationId, { headers: { 'content-type': 'text/plain' }, body: '' }),
    );
    expectDocumented(operationId, 422, await send(operationId, { headers: json, body: '{}' }));
  });

  it('contain headers that are too large', async () => {
    const response = await sendRaw(`${headOf(operationId)}X-Large: ${TOO_LARGE}\r\n\r\n`);
    expectDocumented(operationId, 431, response);
  });

  it('contain an unexpected error', async () => {
    clock.isBroken = true;
    const response = await send(operationId, operationId === 'revokeToken' ? { json: { token: guest.token } } : {});
    clock.isBroken = false;
    expectDocumented(operationId, 500, response);
  });

  it('contain a database outage', async () => {
    proxy.disconnect();
    const response = await send(operationId, operationId === 'revokeToken' ? { json: { token: guest.token } } : {});
    proxy.restore();
    await waitUntil('the service is ready', async () => (await guest.get('/readyz')).status === 200);
    expectDocumented(operationId, 503, response);
  });
});

describe('the documented responses of every operation', () => {
  it('contain a request that does not arrive', async () => {
    const { server } = service.server;
    const { requestTimeout, headersTimeout } = server;
    Object.assign(server, { requestTimeout: 100, headersTimeout: 100 });
    const responses = await Promise.all(
      ROUTES.map(async ({ operationId }) => [operationId, await sendRaw(headOf(operationId))] as const),
    );
    Object.assign(server, { requestTimeout, headersTimeout });
    for (const [operationId, response] of responses) expectDocumented(operationId, 408, response);
  });
});

describe('the documented responses of register', () => {
  it.each<[string, number, object]>([
    ['an unknown invitation', 404, { invitation: 'nonsense' }],
    ['a short password', 422, { password: 'short' }],
    ['a long password', 422, { password: 'x'.repeat(129) }],
    ['a common password', 422, { password: 'password123' }],
    ['all fields', 201, { email: 'ada@example.org', display_name: 'Ada' }],
  ])('contain %s', async (_, status, fields) => {
    const json = { ...bodyOf('register'), ...fields };
    expectDocumented('register', status, await send('register', { json }));
  });

  it('contain a taken username', async () => {
    const json = { username: guest.username, password: PASSWORD };
    expectDocumented('register', 409, await send('register', { json }));
  });

  it('contain a reused Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'key' };
    expectDocumented('register', 201, await send('register', { headers }));
    expectDocumented('register', 422, await send('register', { headers }));
  });

  it('contain a repeat while the first request runs', async () => {
    const json = bodyOf('register');
    const headers = { 'idempotency-key': 'concurrent' };
    const repeat = await withStoppedKeys(service.databaseUrl, async (resume) => {
      const first = send('register', { json, headers });
      await waitUntil('the first request has its key', () => isLockAwaited(service.database));
      const response = await send('register', { json, headers });
      await resume();
      await first;
      return response;
    });
    expectDocumented('register', 409, repeat);
  });

  it('contain a rate limit', async () => {
    const client = new TestClient(limited.url);
    expectDocumented('register', 201, await send('register', { client }));
    expectDocumented('register', 429, await send('register', { client }));
  });
});

describe('the documented responses of issueToken', () => {
  function form(fields: Readonly<Record<string, string>>, headers = FORM): Promise<TestResponse> {
    return send('issueToken', { headers, body: new URLSearchParams(fields).toString() });
  }

  it('contain a wrong password, in JSON and in a form', async () => {
    const wrong = { username: guest.username, password: 'wrong' };
    expectDocumented('issueToken', 401, await send('issueToken', { json: wrong }));
    expectDocumented('issueToken', 400, await form(wrong));
  });

  it('contain a refresh, and a refresh token that is reused or invalid', async () => {
    const { refresh_token = '' } = (await send('issueToken')).body as { refresh_token?: string };
    const grant = { grant_type: 'refresh_token', refresh_token };
    expectDocumented('issueToken', 200, await form(grant));
    clock.offsetMs += 60_000;
    expectDocumented('issueToken', 401, await send('issueToken', { json: grant }));
    expectDocumented('issueToken', 400, await form({ ...grant, refresh_token: 'nonsense' }));
  });

  it('contain every error of a form', async () => {
    expectDocumented('issueToken', 400, await form({}));
    expectDocumented('issueToken', 400, await form({ username: 'ada' }));
    expectDocumented('issueToken', 400, await form({ grant_type: 'client_credentials' }));
    expectDocumented('issueToken', 406, await form({}, { ...FORM, ...{ accept: 'text/html' } }));
    expectDocumented('issueToken', 413, await form({ username: TOO_LARGE }));
    expectDocumented('issueToken', 415, await form({}, { 'content-type': `${FORM['content-type']}; charset=utf-16` }));
  });

  it('contain a rate limit, in JSON and in a form', async () => {
    const client = new TestClient(limited.url);
    const json = { username: 'unknown', password: 'wrong' };
    expectDocumented('issueToken', 401, await send('issueToken', { client, json }));
    expectDocumented('issueToken', 429, await send('issueToken', { client, json }));
    const body = new URLSearchParams(json).toString();
    expectDocumented('issueToken', 429, await send('issueToken', { client, headers: FORM, body }));
  });
});

describe('the documented responses of revokeToken', () => {
  it('contain a revocation by a form, and a form without a token', async () => {
    expectDocumented('revokeToken', 200, await send('revokeToken', { headers: FORM, body: 'token=unknown' }));
    expectDocumented('revokeToken', 400, await send('revokeToken', { headers: FORM, body: 'other=1' }));
  });
});

describe('the documented responses of getProfile', () => {
  it('contain the rejection of an API key', async () => {
    const client = await createApiKeyClient(service, ['groups:read']);
    expectDocumented('getProfile', 403, await send('getProfile', { client }));
  });
});

describe.each(['getAcceptedCount', 'listMembers', 'getCompatibilityScore'])(
  'the documented responses of %s',
  (read) => {
    it('contain a current stored response', async () => {
      const tag = (await send(read)).headers.get('etag') ?? '';
      expectDocumented(read, 304, await send(read, { headers: { 'if-none-match': tag } }));
    });

    it('contain a missing scope and an unknown group', async () => {
      const client = await createApiKeyClient(service, ['responses:write']);
      expectDocumented(read, 403, await send(read, { client }));
      expectDocumented(read, 404, await send(read, { path: pathOf(read, UNKNOWN_ID) }));
      expectDocumented(read, 422, await send(read, { path: pathOf(read, 'nonsense') }));
      expectDocumented(read, 404, await send(read, { path: pathOf(read, '%zz') }));
    });
  },
);

describe('the documented responses of listMembers', () => {
  it('contain a page, and the complete list in a stream', async () => {
    const path = pathOf('listMembers', largeGroupId);
    const page = await send('listMembers', { client: owner, path, query: '?limit=2&status=pending' });
    expect(page.headers.has('link')).toBe(true);
    expectDocumented('listMembers', 200, page);
    const whole = await send('listMembers', { client: owner, path });
    expect(whole.headers.has('etag')).toBe(false);
    expectDocumented('listMembers', 200, whole);
  });

  it('contain a full queue of the caller', async () => {
    const path = pathOf('listMembers', largeGroupId);
    const responses = await Promise.all(
      Array.from({ length: FLOOD }, () => send('listMembers', { client: owner, path })),
    );
    const rejected = responses.find(({ status }) => status !== 200);
    expectDocumented('listMembers', 429, rejected!);
  });
});

describe('the documented responses of getCompatibilityScore', () => {
  it('contain a score', async () => {
    const client = await createApiKeyClient(service, ['scores:write']);
    await client.data(
      'mutation ($input: RecordCompatibilityScoreInput!) { recordCompatibilityScore(input: $input) { group { id } } }',
      { input: { groupId, value: 87.5, source: 'matcher' } },
    );
    const response = await send('getCompatibilityScore');
    expect(response.body).toMatchObject({ compatibility_score: 87.5 });
    expectDocumented('getCompatibilityScore', 200, response);
  });
});

describe('the documented responses of updateMemberStatus', () => {
  it('contain a merge patch and an outdated revision', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = '{"status": "declined"}';
    expectDocumented('updateMemberStatus', 200, await send('updateMemberStatus', { headers, body }));
    expectDocumented('updateMemberStatus', 412, await send('updateMemberStatus', { headers: { 'if-match': '"99"' } }));
  });

  it('contain a status of another member, and an unknown member or group', async () => {
    const other = pathOf('updateMemberStatus', groupId, owner.id);
    expectDocumented('updateMemberStatus', 403, await send('updateMemberStatus', { path: other }));
    const client = await createApiKeyClient(service, ['groups:read']);
    expectDocumented('updateMemberStatus', 403, await send('updateMemberStatus', { client }));
    for (const path of [
      pathOf('updateMemberStatus', groupId, UNKNOWN_ID),
      pathOf('updateMemberStatus', UNKNOWN_ID, guest.id),
    ]) {
      expectDocumented('updateMemberStatus', 404, await send('updateMemberStatus', { client: owner, path }));
    }
  });

  it('contain a group that takes no responses', async () => {
    const cancelled = await createGroupViaApi(owner, [guest]);
    await owner.data('mutation ($input: CancelGroupInput!) { cancelGroup(input: $input) { group { id } } }', {
      input: { groupId: cancelled },
    });
    const path = pathOf('updateMemberStatus', cancelled);
    expectDocumented('updateMemberStatus', 409, await send('updateMemberStatus', { path }));
  });
});

describe('the OpenAPI document', () => {
  it('documents no status that no path has responded with', () => {
    expect(contract.documented.filter((response) => !contract.seen.has(response))).toEqual([]);
  });

  it('documents no reason of a path that the path has not responded with', () => {
    const documented = ROUTES.flatMap(({ operationId, reasons }) =>
      reasons.map((reason) => `${operationId} ${reason}`),
    );
    expect(documented.filter((reason) => !contract.seenReasons.has(reason))).toEqual([]);
  });

  it('is a public document with an entity tag, and names the public URL as its server', async () => {
    const response = await anonymous().get('/openapi.json');
    expect(response.body).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'http://localhost:4000' }] });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      etag: expect.stringMatching(/^W\/"/),
    });
    const cached = await anonymous().get('/openapi.json', { 'if-none-match': response.headers.get('etag') ?? '' });
    expect([cached.status, cached.text]).toEqual([304, '']);
  });

  it('is linked from the start page', async () => {
    expect((await anonymous().get('/')).text).toContain('href="/openapi.json"');
  });
});
