import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { requestHead, sendRawRequest } from '../../support/http/raw-http.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';

const READS = ['accepted-count', 'members', 'compatibility_score'] as const;

let service: TestService;
let owner: TestUser;
let guest: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService();
  [owner, guest] = [await registerUser(service), await registerUser(service)];
  groupId = await createGroupViaApi(owner, [guest]);
});
afterAll(() => service.remove());

describe('GET /api/groups/{group_id}/accepted-count', () => {
  it('counts the accepted members', async () => {
    const response = await guest.get(`/api/groups/${groupId}/accepted-count`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ group_id: groupId, accepted_count: 1 });
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe('GET /api/groups/{group_id}/compatibility_score', () => {
  it('returns null for a group without a score', async () => {
    const { status, body } = await owner.get(`/api/groups/${groupId}/compatibility_score`);
    expect(status).toBe(200);
    expect(body).toEqual({ group_id: groupId, compatibility_score: null, source: null, scored_at: null, stale: null });
  });

  it.each([0, 100, 87.5, 1e-300, 33.333333333333336])('returns %d exactly as it was written', async (value) => {
    const scored = await createGroupViaApi(owner, [guest]);
    await (
      await registerAdmin(service)
    ).data(
      'mutation ($input: RecordCompatibilityScoreInput!) { recordCompatibilityScore(input: $input) { group { id } } }',
      { input: { groupId: scored, value, source: 'matcher' } },
    );
    const path = `/api/groups/${scored}/compatibility_score`;
    expect((await owner.get(path)).body).toEqual({
      group_id: scored,
      compatibility_score: value,
      source: 'matcher',
      scored_at: expect.stringMatching(/Z$/),
      stale: false,
    });
    await guest.patch(`/api/groups/${scored}/users/${guest.id}/status`, { status: 'accepted' });
    expect((await owner.get(path)).body).toMatchObject({ compatibility_score: value, stale: true });
  });
});

describe.each(READS)('GET /api/groups/{group_id}/%s', (resource) => {
  const pathOf = (id: string): string => `/api/groups/${id}/${resource}`;

  it('accepts an id in any case, and returns it in lower case', async () => {
    const { status, body } = await owner.get(pathOf(groupId.toUpperCase()));
    expect(status).toBe(200);
    expect(body).toMatchObject({ group_id: groupId });
  });

  it.each<[string, (id: string) => string]>([
    ['a word', () => 'nonsense'],
    ['35 characters', (id) => id.slice(1)],
    ['braces', (id) => `{${id}}`],
    ['a URN', (id) => `urn:uuid:${id}`],
    ['no hyphens', (id) => id.replaceAll('-', '')],
    ['a space behind it', (id) => `${id}%20`],
    ['NUL in it', (id) => `${id}%00`],
    ['an escaped slash', (id) => `${id}%2f`],
    ['a full-width digit', (id) => `${id.slice(1)}\uff11`],
    ['5,000 characters', () => 'a'.repeat(5_000)],
    ['another number', () => '1'],
  ])('rejects an id of %s as a wrong value', async (_, spell) => {
    const path = encodeURI(pathOf(spell(groupId))).replaceAll('%25', '%');
    expectProblem(await owner.get(path), {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: path,
      fields: ['group_id'],
    });
  });

  it('returns 404 for a path that cannot be decoded, for every caller', async () => {
    for (const id of ['%zz', '%', '%c3%28', '%ff']) {
      const path = pathOf(id);
      expectProblem(await owner.get(path), {
        status: 404,
        code: 'NOT_FOUND',
        reason: 'ROUTE_NOT_FOUND',
        // A URI reference (RFC 9457, section 3.1.5).
        instance: path.replaceAll(/%(?![0-9a-f]{2})/g, '%25'),
      });
    }
  });

  // Clients resolve dots before they send a path, so these are sent over a raw socket.
  it.each([
    ['%2e%2e', 422],
    ['..', 422],
    ['../groups/x', 404],
    ['%2e%2e/groups/x', 404],
  ])('does not resolve dot segments at %s', async (id, status) => {
    const response = await sendRawRequest(
      service.url,
      requestHead(
        `GET ${pathOf(id)} HTTP/1.1`,
        'Host: convene',
        'Connection: close',
        `Authorization: Bearer ${owner.token}`,
      ),
    );
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response).toContain(`"instance":"${pathOf(id)}"`);
  });

  it('returns the same for an unknown group and for a user without access', async () => {
    const [stranger, nowhere] = [await registerUser(service), '0190c2a0-0000-7000-8000-000000000000'];
    for (const id of [groupId, nowhere]) {
      expectProblem(await stranger.get(pathOf(id)), {
        status: 404,
        code: 'NOT_FOUND',
        reason: 'GROUP_NOT_FOUND',
        instance: pathOf(id),
      });
    }
  });

  it('requires the scope to read groups from an API client', async () => {
    expect((await (await createApiKeyClient(service, ['groups:read'])).get(pathOf(groupId))).status).toBe(200);
    expectProblem(await (await createApiKeyClient(service, ['responses:write', 'scores:write'])).get(pathOf(groupId)), {
      status: 403,
      code: 'FORBIDDEN',
      reason: 'SCOPE_REQUIRED',
      instance: pathOf(groupId),
    });
    expectProblem(
      await (await createApiKeyClient(service, ['groups:read'], [await createGroupViaApi(owner)])).get(pathOf(groupId)),
      {
        status: 404,
        code: 'NOT_FOUND',
        reason: 'GROUP_NOT_FOUND',
        instance: pathOf(groupId),
      },
    );
  });

  it('rejects unknown query parameters before it looks up the group', async () => {
    expectProblem(await owner.get(`${pathOf(groupId)}?expand=user&format=json`), {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: pathOf(groupId),
      fields: ['expand', 'format'],
    });
  });

  it('ignores a body', async () => {
    const response = await sendRawRequest(
      service.url,
      `${requestHead(
        `GET ${pathOf(groupId)} HTTP/1.1`,
        'Host: convene',
        'Connection: close',
        `Authorization: Bearer ${owner.token}`,
        'Content-Type: application/json',
        'Content-Length: 9',
      )}{"a": "b"`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });
});
