import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCapturingLogger, ERROR, type LogLine } from '../../support/capturing-logger.js';
import { startFaultProxy, type FaultProxy } from '../../support/database/fault-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { expectProblem } from '../../support/http/expect-problem.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { TestClient } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { waitUntil } from '../../support/wait-until.js';

const REGISTER = '/api/auth/register';

describe('an unexpected error', () => {
  const { log, lines } = createCapturingLogger();
  let service: TestService;
  let isBroken = false;

  beforeAll(async () => {
    const broken = (): Promise<never> => Promise.reject(new TypeError('canary: the hasher is broken'));
    service = await startTestService({
      log,
      hasher: {
        hash: () => (isBroken ? broken() : Promise.resolve('hash')),
        verify: () => Promise.resolve(true),
        needsRehash: () => false,
      },
    });
  });
  afterAll(() => service.remove());

  it('returns a masked 500, and is logged once with the same id', async () => {
    isBroken = true;
    const response = await new TestClient(service.url).post(REGISTER, { username: 'ada', password: PASSWORD });
    isBroken = false;
    expectProblem(response, { status: 500, code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', instance: REGISTER });
    expect(response.text).not.toMatch(/canary|hasher|TypeError|\.ts/);
    const unexpectedErrors = unexpectedErrorsIn(lines);
    expect(unexpectedErrors).toHaveLength(1);
    expect(unexpectedErrors[0]).toMatchObject({
      requestId: response.headers.get('x-request-id'),
      err: { type: 'TypeError', message: 'canary: the hasher is broken' },
    });
    expect(JSON.stringify(lines)).not.toContain(PASSWORD);
  });

  it('does not affect later requests', async () => {
    expect((await new TestClient(service.url).post(REGISTER, { username: 'ada', password: PASSWORD })).status).toBe(
      201,
    );
  });
});

describe('a database outage', () => {
  const { log, lines } = createCapturingLogger();
  let database: TestDatabase;
  let proxy: FaultProxy;
  let service: TestService;
  let owner: TestUser;
  let groupId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startFaultProxy(database.url);
    service = await startTestService({ log, settings: { DATABASE_URL: proxy.url } });
    owner = await registerUser(service);
    groupId = await createGroupViaApi(owner);
  });
  afterAll(async () => {
    await service.remove();
    await proxy.stop();
    await database.drop();
  });

  it.each<[string, string, object | null]>([
    ['POST', REGISTER, { username: 'bob', password: PASSWORD }],
    ['POST', '/api/auth/token', { username: 'bob', password: PASSWORD }],
    ['GET', '/api/auth/me', null],
    ['GET', '/api/groups/{group_id}/accepted-count', null],
    ['GET', '/api/groups/{group_id}/members', null],
    ['GET', '/api/groups/{group_id}/compatibility_score', null],
    ['PATCH', '/api/groups/{group_id}/users/{user_id}/status', { status: 'declined' }],
    ['GET', '/readyz', null],
  ])('makes %s %s return 503, and work again afterwards', async (method, template, json) => {
    const path = template.replace('{group_id}', groupId).replace('{user_id}', owner.id);
    proxy.disconnect();
    const response = await owner.send(method, path, json === null ? {} : { json });
    const oauth = path === '/api/auth/token' ? { oauthError: 'temporarily_unavailable' } : {};
    expectProblem(response, {
      status: 503,
      code: 'UNAVAILABLE',
      reason: 'DATABASE_UNAVAILABLE',
      instance: path,
      ...oauth,
    });
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await owner.get('/livez')).status).toBe(200);
    proxy.restore();
    await waitUntil('the service is ready', async () => (await owner.get('/readyz')).status === 200);
    expect((await owner.get('/api/auth/me')).status).toBe(200);
  });

  it('also delays API clients, whose key cannot be read', async () => {
    proxy.disconnect();
    const response = await owner.with('cvn_whatever').get('/api/auth/me');
    expectProblem(response, {
      status: 503,
      code: 'UNAVAILABLE',
      reason: 'DATABASE_UNAVAILABLE',
      instance: '/api/auth/me',
    });
    proxy.restore();
  });

  it('is not an unexpected error', () => {
    expect(unexpectedErrorsIn(lines)).toEqual([]);
  });

  it('during a list aborts the connection, so that the list never seems complete', async () => {
    await waitUntil('the service is ready', async () => (await owner.get('/readyz')).status === 200);
    const ids = await insertAccounts(service, 1_500);
    for (const from of [0, 500, 1_000]) await inviteUsers(owner, groupId, ids.slice(from, from + 500));
    proxy.disconnectAt('members', 2);
    const response = await sendRawRequest(
      service.url,
      requestHead(
        `GET /api/groups/${groupId}/members HTTP/1.1`,
        'Host: convene',
        'Connection: close',
        `Authorization: Bearer ${owner.token}`,
      ),
    );
    proxy.restore();
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain(owner.id);
    expect(response).not.toContain('next_cursor');
    expect(response.endsWith('\r\n0\r\n\r\n')).toBe(false);
  });
});

function unexpectedErrorsIn(lines: readonly LogLine[]): LogLine[] {
  return lines.filter(({ level }) => level >= ERROR);
}
