import { describe, expect, it } from '@jest/globals';
import {
  getGroup,
  inviteToGroup,
  listMembers,
  updateMemberStatus,
  type MemberView,
} from '../../../src/groups/index.js';
import type { ConnectionPage } from '../../../src/paging/index.js';
import { toDate } from '../../../src/time/stored-time.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import {
  ANONYMOUS,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

/** A small page has the texts of its times from JSON, a large one those of rows. */
function withDates({ invitedAt, respondedAt, user, ...member }: MemberView): unknown {
  return {
    ...member,
    invitedAt: toDate(invitedAt),
    respondedAt: respondedAt === null ? null : toDate(respondedAt),
    user: { ...user, createdAt: toDate(user!.createdAt) },
  };
}

async function walk(next: (after: string | null) => Promise<ConnectionPage<MemberView>>): Promise<MemberView[]> {
  const all: MemberView[] = [];
  for (let after: string | null = null; ;) {
    const page: ConnectionPage<MemberView> = await next(after);
    all.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return all;
    after = page.pageInfo.endCursor;
  }
}

describe('listMembers', () => {
  it('returns members with users in the order of their invitation', async () => {
    const owner = await createUser(fixture, 'Olga');
    const guest = await createUser(fixture, 'Greta');
    await fixture.sql(`update account set display_name = 'Greta G.' where id = $1`, [guest.userId]);
    const groupId = await createGroupWithMembers(fixture, owner);
    fixture.clock.advance(1);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ username: 'greta' }] });
    const page = await listMembers(fixture.deps, owner, await getGroup(fixture.deps, owner, groupId), { first: 100 });
    expect(page.nodes.map(({ role, user }) => [role, user?.username, user?.displayName])).toEqual([
      ['OWNER', 'Olga', null],
      ['MEMBER', 'Greta', 'Greta G.'],
    ]);
    expect(page.totalCount).toBe(2);
    expect(page.edges.map(({ node }) => node)).toEqual(page.nodes);
    expect(page.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: page.edges[0]?.cursor,
      endCursor: page.edges[1]?.cursor,
    });
  });

  it('runs one statement', async () => {
    const [owner, ...guests] = await createUsers(fixture, 10);
    const groupId = await createGroupWithMembers(fixture, owner, guests);
    const { statements } = await countStatements(async () =>
      listMembers(fixture.deps, owner, await getGroup(fixture.deps, owner, groupId), { first: 5 }),
    );
    expect(statements).toBe(2);
  });

  it.each([1, 2, 7, 100, 250, 1_000])('returns each member once in pages of %i', async (first) => {
    const [owner, ...guests] = await createUsers(fixture, 30);
    const [later, sooner] = [guests.slice(0, 10), guests.slice(10)];
    const groupId = await createGroupWithMembers(fixture, owner, sooner);
    fixture.clock.advance(1);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: later.map(({ userId }) => ({ userId })) });
    const group = await getGroup(fixture.deps, owner, groupId);
    const all = await walk((after) => listMembers(fixture.deps, owner, group, { first, after }));
    const ids = (some: readonly { userId: string }[]): string[] => some.map(({ userId }) => userId).toSorted();
    expect(all.map(({ userId }) => userId)).toEqual([...ids([owner, ...sooner]), ...ids(later)]);
  });

  it('returns each member once while others join', async () => {
    const [owner, ...guests] = await createUsers(fixture, 60);
    const groupId = await createGroupWithMembers(fixture, owner, guests.slice(0, 30));
    const joining = guests.slice(30);
    const all = await walk(async (after) => {
      const newcomer = joining.pop();
      fixture.clock.advance(1);
      if (newcomer !== undefined)
        await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: newcomer.userId }] });
      return listMembers(fixture.deps, owner, await getGroup(fixture.deps, owner, groupId), { first: 4, after });
    });
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(all.length);
    expect(all.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([owner, ...guests.slice(0, 30)].map(({ userId }) => userId)),
    );
  });

  it('filters and counts by response', async () => {
    const [owner, ...guests] = await createUsers(fixture, 8);
    const groupId = await createGroupWithMembers(fixture, owner, guests);
    for (const { userId } of guests.slice(0, 3))
      await updateMemberStatus(fixture.deps, serviceActor(['responses:write']), {
        groupId,
        userId,
        status: 'TENTATIVE',
      });
    const group = await getGroup(fixture.deps, owner, groupId);
    const all = await walk((after) =>
      listMembers(fixture.deps, owner, group, { first: 2, after, status: 'TENTATIVE' }),
    );
    expect(all.map(({ userId }) => userId)).toEqual(
      guests
        .slice(0, 3)
        .map(({ userId }) => userId)
        .toSorted(),
    );
    const counts = await Promise.all(
      (['PENDING', 'ACCEPTED', 'TENTATIVE', 'DECLINED', null] as const).map((status) =>
        listMembers(fixture.deps, owner, group, { first: 100, status }),
      ),
    );
    expect(counts.map(({ totalCount, nodes }) => [totalCount, nodes.length])).toEqual([
      [4, 4],
      [1, 1],
      [3, 3],
      [0, 0],
      [8, 8],
    ]);
    expect(counts[3]?.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
  });

  it('returns the same members in small and in large pages', async () => {
    const [owner, ...guests] = await createUsers(fixture, 12);
    const id = await createGroupWithMembers(fixture, owner, guests);
    const group = await getGroup(fixture.deps, owner, id);
    for (const size of ['first', 'last'] as const) {
      const [small, large] = await Promise.all(
        [100, 101].map((entries) => listMembers(fixture.deps, owner, group, { [size]: entries })),
      );
      expect(small?.nodes).toHaveLength(12);
      expect(large?.nodes.map(withDates)).toEqual(small?.nodes.map(withDates));
    }
  });

  it('reads pages of several groups with one statement', async () => {
    const [owner, ...guests] = await createUsers(fixture, 12);
    const groupIds = [
      await createGroupWithMembers(fixture, owner, guests.slice(0, 5)),
      await createGroupWithMembers(fixture, owner, guests),
    ];
    const groups = await Promise.all(groupIds.map((id) => getGroup(fixture.deps, owner, id)));
    const asks = groups.flatMap((group) => [1, 3, 3, 50].map((first) => ({ group, first })));
    const { result, statements } = await countStatements(() =>
      Promise.all(asks.map(({ group, first }) => listMembers(fixture.deps, owner, group, { first }))),
    );
    expect(statements).toBe(1);
    expect(
      result.map(({ nodes, totalCount }) => [
        nodes.length,
        totalCount,
        new Set(nodes.map(({ groupId }) => groupId)).size,
      ]),
    ).toEqual([
      [1, 6, 1],
      [3, 6, 1],
      [3, 6, 1],
      [6, 6, 1],
      [1, 12, 1],
      [3, 12, 1],
      [3, 12, 1],
      [12, 12, 1],
    ]);
    expect(result[1]).toEqual(result[2]);
  });

  it.each([0, -1, 1_001, 1.5, NaN, 2 ** 31, 2 ** 63])('rejects a page size of %d', async (first) => {
    const owner = await createUser(fixture);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner));
    await expect(listMembers(fixture.deps, owner, group, { first })).rejects.toEqual(errorWithFields('first'));
  });

  it('rejects an invalid cursor', async () => {
    const [owner, ...guests] = await createUsers(fixture, 4);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner, guests));
    const { pageInfo } = await listMembers(fixture.deps, owner, group, { first: 2 });
    const right = pageInfo.endCursor ?? '';
    const forged = (text: string): string => Buffer.from(text).toString('base64url');
    const garbage = [
      '',
      'x',
      '!!',
      `${right}=`,
      ` ${right}`,
      right.slice(0, -1),
      `${right}A`,
      forged('5'),
      forged('1|2'),
      forged(`|${owner.userId}`),
      forged(`9999999999999999|${owner.userId}`),
      forged(`1|${owner.userId}|`),
      forged(`01|${owner.userId}`),
      forged(`1|${owner.userId.toUpperCase()}`),
    ];
    for (const after of garbage)
      await expect(listMembers(fixture.deps, owner, group, { first: 2, after })).rejects.toEqual(
        errorWithFields('after'),
      );
    await expect(listMembers(fixture.deps, owner, group, { first: 0, after: 'x' })).rejects.toEqual(
      errorWithFields('first', 'after'),
    );
    expect((await listMembers(fixture.deps, owner, group, { first: 2, after: right })).pageInfo.hasPreviousPage).toBe(
      true,
    );
  });

  it('throws SCOPE_REQUIRED for an API client without groups:read', async () => {
    const owner = await createUser(fixture);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner));
    await expect(listMembers(fixture.deps, serviceActor(['responses:write']), group, { first: 1 })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(listMembers(fixture.deps, ANONYMOUS, group, { first: 1 })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
  });
});
