import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectProblem } from '../../support/http/expect-problem.js';
import { comparableHead, type TestResponse } from '../../support/http/test-client.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  registerUser,
  type TestUser,
} from '../../support/service/test-users.js';

interface Entry {
  readonly user_id: string;
  readonly status: string;
}

interface List {
  readonly total: number;
  readonly members: readonly Entry[];
  readonly next_cursor: string | null;
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let service: TestService;
let owner: TestUser;
let guest: TestUser;

beforeAll(async () => {
  service = await startTestService();
  [owner, guest] = [await registerUser(service, 'Olga'), await registerUser(service, 'gus')];
});
afterAll(() => service.remove());

function listOf({ body }: TestResponse): List {
  return body as List;
}

function pathOf(groupId: string): string {
  return `/api/groups/${groupId}/members`;
}

/** A group with this number of members, including its owner. */
async function groupOfSize(size: number): Promise<string> {
  const groupId = await createGroupViaApi(owner);
  const ids = await insertAccounts(service, size - 1);
  for (let from = 0; from < ids.length; from += 500) await inviteUsers(owner, groupId, ids.slice(from, from + 500));
  return groupId;
}

/** Follows `Link` to the last page. */
async function walk(path: string): Promise<List[]> {
  const response = await owner.get(path);
  expect(response.status).toBe(200);
  const next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  expect(next === undefined).toBe(listOf(response).next_cursor === null);
  return [listOf(response), ...(next === undefined ? [] : await walk(next))];
}

describe('GET the members of a group', () => {
  it('returns all fields to every member, in the order of joining', async () => {
    const groupId = await createGroupViaApi(owner, [guest]);
    const response = await guest.get(pathOf(groupId));
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      group_id: groupId,
      total: 2,
      members: [
        {
          user_id: owner.id,
          username: 'Olga',
          display_name: null,
          role: 'owner',
          status: 'accepted',
          invited_at: TIME,
          responded_at: TIME,
          revision: 1,
        },
        {
          user_id: guest.id,
          username: 'gus',
          display_name: null,
          role: 'member',
          status: 'pending',
          invited_at: TIME,
          responded_at: null,
          revision: 1,
        },
      ],
      next_cursor: null,
    });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.has('link')).toBe(false);
  });

  it.each(['accepted', 'tentative', 'declined', 'pending'])(
    'returns with the filter %s the matching members and their total',
    async (status) => {
      const groupId = await createGroupViaApi(owner, [guest]);
      await guest.patch(`/api/groups/${groupId}/users/${guest.id}/status`, { status: 'tentative' });
      const ids = { accepted: [owner.id], tentative: [guest.id], declined: [], pending: [] }[status];
      const { total, members } = listOf(await owner.get(`${pathOf(groupId)}?status=${status}`));
      expect(members.map(({ user_id }) => user_id)).toEqual(ids);
      expect(total).toBe(ids?.length);
    },
  );

  it('returns pages of the limit, each with a link to the next', async () => {
    const groupId = await groupOfSize(25);
    const pages = await walk(`${pathOf(groupId)}?limit=10`);
    expect(pages.map(({ members }) => members.length)).toEqual([10, 10, 5]);
    expect(new Set(pages.flatMap(({ members }) => members.map(({ user_id }) => user_id))).size).toBe(25);
    expect(pages.every(({ total }) => total === 25)).toBe(true);
  });

  it('keeps the filter from page to page', async () => {
    const groupId = await groupOfSize(8);
    const pages = await walk(`${pathOf(groupId)}?status=pending&limit=3`);
    expect(pages.map(({ members }) => members.length)).toEqual([3, 3, 1]);
    expect(pages.flatMap(({ members }) => members.map(({ status }) => status))).toEqual(
      Array<string>(7).fill('pending'),
    );
  });

  it('returns pages of 100 after a cursor without a limit', async () => {
    const groupId = await groupOfSize(150);
    const first = listOf(await owner.get(`${pathOf(groupId)}?limit=10`));
    const rest = listOf(await owner.get(`${pathOf(groupId)}?cursor=${first.next_cursor ?? ''}`));
    expect(rest.members).toHaveLength(100);
  });

  it('returns each member once while others join', async () => {
    const groupId = await groupOfSize(40);
    const before = listOf(await owner.get(pathOf(groupId))).members.map(({ user_id }) => user_id);
    const newcomers = await insertAccounts(service, 20);
    const [pages] = await Promise.all([
      walk(`${pathOf(groupId)}?limit=5`),
      ...newcomers.map((id) => inviteUsers(owner, groupId, [id])),
    ]);
    const seen = pages.flatMap(({ members }) => members.map(({ user_id }) => user_id));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 40)).toEqual(before);
  });

  it('returns all members without a limit, however many', async () => {
    const groupId = await groupOfSize(2_500);
    const response = await owner.get(pathOf(groupId));
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    const { total, members, next_cursor } = listOf(response);
    expect({ total, next_cursor }).toEqual({ total: 2_500, next_cursor: null });
    expect(new Set(members.map(({ user_id }) => user_id)).size).toBe(2_500);
    const accepted = listOf(await owner.get(`${pathOf(groupId)}?status=accepted`));
    expect(accepted.members).toHaveLength(1);

    const whole = await owner.send('HEAD', pathOf(groupId));
    expect(comparableHead(whole)).toEqual(comparableHead(response));
    expect(whole.text).toBe('');
  });

  it.each<[string, string, string[]]>([
    ['limit=0', 'the least is 1', ['limit']],
    ['limit=1001', 'the most is 1000', ['limit']],
    ['limit=-1', 'it counts up', ['limit']],
    ['limit=1e9', 'it is written in digits', ['limit']],
    ['limit=2147483648', 'it is too large', ['limit']],
    ['limit=9223372036854775808', 'it is too large', ['limit']],
    ['limit=1.5', 'it is whole', ['limit']],
    ['limit=abc', 'it is a number', ['limit']],
    ['limit=', 'it is not empty', ['limit']],
    ['limit=%EF%BC%91', 'its digits are ASCII', ['limit']],
    ['limit=1&limit=2', 'it is given once', ['limit']],
    ['status=maybe', 'it is one of four', ['status']],
    ['status=ACCEPTED', 'it is in lower case', ['status']],
    ['status=', 'it is not empty', ['status']],
    ['status=accepted&status=pending', 'it is given once', ['status']],
    ['cursor=nonsense', 'it is one that was given', ['cursor']],
    ['cursor=', 'it is not empty', ['cursor']],
    ['cursor=MHww', 'it is a cursor of this list', ['cursor']],
    ['cursor=%00', 'it is one that was given', ['cursor']],
    ['limit=0&cursor=x', 'both are named', ['limit', 'cursor']],
    ['offset=5', 'there is no such parameter', ['offset']],
    ['first=5&after=x', 'they have other names here', ['first', 'after']],
    ['__proto__=1', 'there is no such parameter', ['__proto__']],
  ])('rejects ?%s: %s', async (query, _, fields) => {
    const path = pathOf(await createGroupViaApi(owner));
    expectProblem(await owner.get(`${path}?${query}`), {
      status: 422,
      code: 'BAD_USER_INPUT',
      reason: 'INVALID_INPUT',
      instance: path,
      fields,
    });
  });

  it.each(['cursor=%zz', 'cursor=%', 'cursor=%ff', 'cursor=%ed%a0%80', '%zz=1', 'limit=1&%c0%80'])(
    'rejects ?%s as invalid percent-encoded UTF-8',
    async (query) => {
      const path = pathOf(await createGroupViaApi(owner));
      expectProblem(await owner.get(`${path}?${query}`), { status: 400, code: 'MALFORMED_REQUEST', instance: path });
    },
  );
});
