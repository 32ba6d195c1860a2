import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fakeClock } from '../../support/fake-clock.js';
import { expectProblem, type ExpectedProblem } from '../../support/http/expect-problem.js';
import type { TestResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';
import { UNKNOWN_ID } from '../../support/unknown-id.js';

const clock = fakeClock(new Date());

let service: TestService;
let owner: TestUser;
let guest: TestUser;
let groupId: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  [owner, guest] = [await registerUser(service), await registerUser(service)];
});
afterAll(() => service.remove());

beforeEach(async () => {
  groupId = await createGroupViaApi(owner, [guest]);
  path = pathOf(groupId, guest.id);
});

function pathOf(group: string, user: string): string {
  return `/api/groups/${group}/users/${user}/status`;
}

function wrongValue(...fields: string[]): ExpectedProblem {
  return { status: 422, code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', instance: path, fields };
}

async function acceptedCount(): Promise<unknown> {
  return ((await owner.get(`/api/groups/${groupId}/accepted-count`)).body as { accepted_count: unknown })
    .accepted_count;
}

describe('PATCH /api/groups/{group_id}/users/{user_id}/status', () => {
  it('records a response and returns its effects', async () => {
    const response = await guest.patch(path, { status: 'accepted' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      group_id: groupId,
      user_id: guest.id,
      status: 'accepted',
      responded_at: clock.now().toISOString(),
      group_state: 'confirmed',
      accepted_count: 2,
      changed: true,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await acceptedCount()).toBe(2);
  });

  it('changes nothing when it is repeated', async () => {
    const first = await guest.patch(path, { status: 'accepted' });
    clock.advance(1_000);
    const second = await guest.patch(path, { status: 'accepted' });
    expect(second.body).toEqual({ ...(first.body as object), changed: false });
  });

  it('returns the same to 30 equal concurrent requests, and counts one', async () => {
    const responses = await Promise.all(Array.from({ length: 30 }, () => guest.patch(path, { status: 'accepted' })));
    const bodies = responses.map(({ body }) => ({ ...(body as { changed: boolean }), changed: null }));
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(30).fill(200));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(responses.filter(({ body }) => (body as { changed: boolean }).changed)).toHaveLength(1);
    expect(await acceptedCount()).toBe(2);
  });

  it.each(['accepted', 'tentative', 'declined', 'pending'])('accepts %s, repeatedly', async (status) => {
    for (const each of [status, 'declined', status]) {
      expect((await guest.patch(path, { status: each })).body).toMatchObject({ status: each });
    }
  });

  it.each(['application/json', 'application/merge-patch+json', 'application/merge-patch+json; charset=utf-8'])(
    'reads %s',
    async (type) => {
      const { status } = await guest.send('PATCH', path, {
        headers: { 'content-type': type },
        body: '{"status": "accepted"}',
      });
      expect(status).toBe(200);
    },
  );

  it('accepts ids in any case', async () => {
    const { status, body } = await guest.patch(pathOf(groupId.toUpperCase(), guest.id.toUpperCase()), {
      status: 'accepted',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ group_id: groupId, user_id: guest.id });
  });

  it.each<[string, unknown, string[]]>([
    ['nothing in it', {}, ['status']],
    ['null', { status: null }, ['status']],
    ['an empty text', { status: '' }, ['status']],
    ['another word', { status: 'maybe' }, ['status']],
    ['upper case', { status: 'ACCEPTED' }, ['status']],
    ['a space', { status: 'accepted ' }, ['status']],
    ['a number', { status: 1 }, ['status']],
    ['a list', { status: ['accepted'] }, ['status']],
    ['an object', { status: { status: 'accepted' } }, ['status']],
    ['a role beside it', { status: 'accepted', role: 'owner' }, ['role']],
    ['ids and times beside it', { status: 'accepted', user_id: 'x', responded_at: 'x' }, ['user_id', 'responded_at']],
  ])('rejects a body with %s, and writes nothing', async (_, body, fields) => {
    expectProblem(await guest.patch(path, body), wrongValue(...fields));
    expect(await acceptedCount()).toBe(1);
  });

  it.each<[string, number, string, string]>([
    ['a list', 400, 'application/json', '[]'],
    ['nothing', 400, 'application/json', ''],
    ['a JSON patch', 415, 'application/json-patch+json', '[]'],
    ['a form', 415, 'application/x-www-form-urlencoded', 'status=accepted'],
    ['plain text', 415, 'text/plain', 'accepted'],
  ])('rejects %s with %i', async (_, status, type, body) => {
    const response = await guest.send('PATCH', path, { headers: { 'content-type': type }, body });
    expectProblem(response, {
      status,
      code: status === 400 ? 'MALFORMED_REQUEST' : 'UNSUPPORTED_MEDIA_TYPE',
      instance: path,
    });
  });

  it('uses the last of a repeated key', async () => {
    const body = '{"status": "declined", "status": "accepted"}';
    const response = await guest.send('PATCH', path, { headers: { 'content-type': 'application/json' }, body });
    expect(response.body).toMatchObject({ status: 'accepted' });
  });

  it('returns both ids when both are wrong', async () => {
    path = pathOf('nonsense', 'a'.repeat(5_000));
    expectProblem(await guest.patch(path, { status: 'accepted' }), wrongValue('group_id', 'user_id'));
  });

  it('rejects query parameters', async () => {
    expectProblem(await guest.patch(`${path}?status=accepted`, { status: 'accepted' }), wrongValue('status'));
  });

  it('rejects a response for another user', async () => {
    expectProblem(await owner.patch(path, { status: 'accepted' }), {
      status: 403,
      code: 'FORBIDDEN',
      reason: 'NOT_YOUR_MEMBERSHIP',
      instance: path,
    });
    expect(await acceptedCount()).toBe(1);
  });

  it('returns 404 for group and member to a user without access', async () => {
    const stranger = await registerUser(service);
    expectProblem(await stranger.patch(path, { status: 'accepted' }), {
      status: 404,
      code: 'NOT_FOUND',
      reason: 'GROUP_NOT_FOUND',
      instance: path,
    });
    path = pathOf(UNKNOWN_ID, guest.id);
    expectProblem(await guest.patch(path, { status: 'accepted' }), {
      status: 404,
      code: 'NOT_FOUND',
      reason: 'GROUP_NOT_FOUND',
      instance: path,
    });
    path = pathOf(groupId, stranger.id);
    expectProblem(await guest.patch(path, { status: 'accepted' }), {
      status: 404,
      code: 'NOT_FOUND',
      reason: 'MEMBER_NOT_FOUND',
      instance: path,
    });
  });

  it('allows administrators, and API clients with the scope to write responses', async () => {
    expect((await (await registerAdmin(service)).patch(path, { status: 'accepted' })).status).toBe(200);
    const response = await (await createApiKeyClient(service, ['responses:write'])).patch(path, { status: 'declined' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ group_state: 'failed', accepted_count: 1 });
    expectProblem(await (await createApiKeyClient(service, ['groups:read'])).patch(path, { status: 'accepted' }), {
      status: 403,
      code: 'FORBIDDEN',
      reason: 'SCOPE_REQUIRED',
      instance: path,
    });
  });

  it('rejects all responses but declining after the deadline', async () => {
    groupId = await createGroupViaApi(owner, [guest], { quorum: 3, respondBy: clock.in(60_000).toISOString() });
    path = pathOf(groupId, guest.id);
    clock.advance(61_000);
    expectProblem(await guest.patch(path, { status: 'accepted' }), {
      status: 409,
      code: 'CONFLICT',
      reason: 'RESPONSES_CLOSED',
      instance: path,
    });
    expect(bodyOf(await guest.patch(path, { status: 'declined' }))).toMatchObject({
      status: 'declined',
      group_state: 'expired',
    });
  });
});

function bodyOf({ body }: TestResponse): unknown {
  return body;
}
