import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { comparableHead } from '../../support/http/test-client.js';
import { FAKE_HASHER } from '../../support/service/test-core.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createApiKeyClient,
  createGroupViaApi,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';

const READS = [
  'accepted-count',
  'members',
  'members?limit=1',
  'members?status=pending',
  'compatibility_score',
] as const;
const WEAK_TAG = /^W\/"[\x21\x23-\x7e]+"$/;

let service: TestService;
let owner: TestUser;
let guest: TestUser;
let groupId: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  [owner, guest] = [await registerUser(service), await registerUser(service)];
});
afterAll(() => service.remove());

beforeEach(async () => {
  groupId = await createGroupViaApi(owner, [guest]);
  path = `/api/groups/${groupId}/users/${guest.id}/status`;
});

async function statusNow(): Promise<unknown> {
  const { body } = await owner.get(`/api/groups/${groupId}/members`);
  const { members } = body as { members: { user_id: string; status: string }[] };
  return members.find(({ user_id }) => user_id === guest.id)?.status;
}

describe('PATCH of a status', () => {
  it('returns the revision of the member as its entity tag, also when nothing changed', async () => {
    for (const [status, tag] of [
      ['pending', '"1"'],
      ['accepted', '"2"'],
      ['accepted', '"2"'],
      ['declined', '"3"'],
    ] as const) {
      const response = await guest.patch(path, { status });
      expect({
        status: response.status,
        tag: response.headers.get('etag'),
        cache: response.headers.get('cache-control'),
      }).toEqual({ status: 200, tag, cache: 'no-store' });
    }
    const key = await createApiKeyClient(service, ['responses:write']);
    expect((await key.patch(path, { status: 'accepted' })).headers.get('etag')).toBe('"4"');
  });

  it.each(['"1"', '*', '"7", "1"', 'W/"1", "1"', '"1","2","3"'])('succeeds with If-Match: %s', async (ifMatch) => {
    const response = await guest.patch(path, { status: 'accepted' }, { 'if-match': ifMatch });
    expect({ status: response.status, tag: response.headers.get('etag') }).toEqual({ status: 200, tag: '"2"' });
  });

  it.each(['"2"', 'W/"1"', '"01"', '"nonsense"', '"2", "3"', 'W/"1", "2"', '""'])(
    'fails with 412 with If-Match: %s, and changes nothing',
    async (ifMatch) => {
      const response = await guest.patch(path, { status: 'accepted' }, { 'if-match': ifMatch });
      expectProblem(response, { status: 412, code: 'PRECONDITION_FAILED', reason: 'REVISION_CHANGED', instance: path });
      expect(response.headers.has('etag')).toBe(false);
      expect(await statusNow()).toBe('pending');
    },
  );

  it.each(['1', '"1', '', '"1" "2"', '*, "1"'])(
    'fails with 400 with If-Match: %j, and changes nothing',
    async (ifMatch) => {
      expectProblem(await guest.patch(path, { status: 'accepted' }, { 'if-match': ifMatch }), {
        status: 400,
        code: 'MALFORMED_REQUEST',
        instance: path,
      });
      expect(await statusNow()).toBe('pending');
    },
  );

  it('fails with 412 with the entity tag of a GET', async () => {
    for (const read of READS) {
      const tag = (await guest.get(`/api/groups/${groupId}/${read}`)).headers.get('etag') ?? '';
      expect((await guest.patch(path, { status: 'accepted' }, { 'if-match': tag })).status).toBe(412);
    }
  });

  it('checks the tag after authorization, and before detecting an unchanged status', async () => {
    const stale = { 'if-match': '"9"' };
    const stranger = await registerUser(service);
    expect((await stranger.patch(path, { status: 'accepted' }, stale)).status).toBe(404);
    expect((await owner.patch(path, { status: 'accepted' }, stale)).status).toBe(403);
    expect((await guest.patch(path, { status: 'nonsense' }, stale)).status).toBe(422);
    expect((await guest.patch(path.replace(guest.id, stranger.id), { status: 'accepted' }, stale)).status).toBe(404);
    expect((await guest.patch(path, { status: 'pending' }, stale)).status).toBe(412);
  });

  it('succeeds for one of two callers that read the same revision', async () => {
    const responses = await Promise.all(
      ['accepted', 'declined'].map((status) => guest.patch(path, { status }, { 'if-match': '"1"' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });
});

describe.each(READS)('GET /api/groups/{group_id}/%s', (read) => {
  const urlOf = (id: string): string => `/api/groups/${id}/${read}`;

  it('has a weak entity tag that changes with the body', async () => {
    const [one, same] = [await owner.get(urlOf(groupId)), await owner.get(urlOf(groupId))];
    expect(one.headers.get('etag')).toMatch(WEAK_TAG);
    expect(same.headers.get('etag')).toBe(one.headers.get('etag'));
    await guest.patch(path, { status: 'accepted' });
    const score = `mutation ($input: RecordCompatibilityScoreInput!) {
      recordCompatibilityScore(input: $input) { group { id } }
    }`;
    await (
      await registerAdmin(service)
    ).data(score, {
      input: { groupId, value: 5, source: 'matcher' },
    });
    const changed = await owner.get(urlOf(groupId));
    expect(changed.headers.get('etag') === one.headers.get('etag')).toBe(changed.text === one.text);
    expect(read === 'members?limit=1' || changed.text !== one.text).toBe(true);
  });

  it('is cacheable by its reader only, with revalidation', async () => {
    const { headers } = await owner.get(urlOf(groupId));
    expect({ cache: headers.get('cache-control'), vary: headers.get('vary') }).toEqual({
      cache: 'private, no-cache',
      vary: 'Authorization, Accept-Encoding',
    });
  });

  it('returns 304 without a body when its tag is named weakly, strongly, alone or in a list', async () => {
    const whole = await owner.get(urlOf(groupId));
    const tag = whole.headers.get('etag') ?? '';
    for (const ifNoneMatch of [tag, tag.slice(2), `"x", ${tag}`, `${tag}, W/"y"`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const response = await owner.send(method, urlOf(groupId), { headers: { 'if-none-match': ifNoneMatch } });
        expect({
          ifNoneMatch,
          status: response.status,
          text: response.text,
          tag: response.headers.get('etag'),
        }).toEqual({
          ifNoneMatch,
          status: 304,
          text: '',
          tag,
        });
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'cache-control': 'private, no-cache',
          vary: 'Authorization, Accept-Encoding',
        });
        expect(response.headers.has('content-type')).toBe(false);
      }
    }
  });

  it.each(['W/"x"', '"x"', 'x', 'nonsense, "'])('returns the body with If-None-Match: %s', async (ifNoneMatch) => {
    expect((await owner.get(urlOf(groupId), { 'if-none-match': ifNoneMatch })).status).toBe(200);
  });

  it('returns the same head for HEAD', async () => {
    const [get, head] = [await owner.get(urlOf(groupId)), await owner.send('HEAD', urlOf(groupId))];
    expect(comparableHead(head)).toEqual(comparableHead(get));
  });

  it('reveals nothing to a user without access by a tag', async () => {
    const tag = (await owner.get(urlOf(groupId))).headers.get('etag') ?? '';
    const response = await (await registerUser(service)).get(urlOf(groupId), { 'if-none-match': tag });
    expectProblem(response, {
      status: 404,
      code: 'NOT_FOUND',
      reason: 'GROUP_NOT_FOUND',
      instance: urlOf(groupId).split('?', 1)[0] ?? '',
    });
    expect(response.headers.has('etag')).toBe(false);
  });
});

describe("the caller's account pages", () => {
  it('are not cacheable and have no tag', async () => {
    const { headers } = await owner.get('/api/auth/me');
    expect({ cache: headers.get('cache-control'), tag: headers.get('etag') }).toEqual({ cache: 'no-store', tag: null });
  });
});
