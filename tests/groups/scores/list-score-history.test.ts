import { describe, expect, it } from '@jest/globals';
import { getGroup, listScoreHistory, recordCompatibilityScore, updateMemberStatus } from '../../../src/groups/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { ANONYMOUS, createGroupWithMembers, createUsers, serviceActor } from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

const scorer = serviceActor(['scores:write']);

describe('listScoreHistory', () => {
  it('returns all scores, oldest first, each with whether it is stale', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await recordCompatibilityScore(fixture.deps, scorer, { groupId, value: 10, source: 'first' });
    fixture.clock.advance(1_000);
    const scoredAt = fixture.clock.now();
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    await recordCompatibilityScore(fixture.deps, scorer, { groupId, value: 20.5, source: 'second' });
    const group = await getGroup(fixture.deps, owner, groupId);
    const page = await listScoreHistory(fixture.deps, guest, group, { first: 100 });
    expect(page).toMatchObject({
      totalCount: 2,
      nodes: [
        { value: 10, source: 'first', stale: true },
        { value: 20.5, source: 'second', stale: false, scoredAt },
      ],
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
    });
    expect(page.nodes.at(-1)).toMatchObject(group.compatibilityScore ?? {});
  });

  it('returns an empty list for a group without scores', async () => {
    const [owner] = await createUsers(fixture, 2);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner));
    expect(await listScoreHistory(fixture.deps, owner, group, { first: 1 })).toMatchObject({
      totalCount: 0,
      nodes: [],
      pageInfo: { startCursor: null },
    });
  });

  it('reads pages of several groups with as many statements as for one', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupIds = [await createGroupWithMembers(fixture, owner), await createGroupWithMembers(fixture, owner)];
    for (const groupId of groupIds) {
      for (const value of [1, 2, 3, 4, 5])
        await recordCompatibilityScore(fixture.deps, scorer, { groupId, value, source: groupId });
    }
    const groups = await Promise.all(groupIds.map((id) => getGroup(fixture.deps, owner, id)));
    const { result: pages, statements } = await countStatements(() =>
      Promise.all(groups.map((group) => listScoreHistory(fixture.deps, owner, group, { first: 2 }))),
    );
    expect(statements).toBe(2);
    expect(
      pages.map(({ nodes, totalCount }) => [totalCount, nodes.map(({ value }) => value), nodes[0]?.source]),
    ).toEqual(groupIds.map((id) => [5, [1, 2], id]));
    const next = await listScoreHistory(fixture.deps, owner, groups[0]!, {
      first: 2,
      after: pages[0]?.pageInfo.endCursor,
    });
    const last = await listScoreHistory(fixture.deps, owner, groups[0]!, { first: 2, after: next.pageInfo.endCursor });
    expect([next, last].map(({ nodes, pageInfo }) => [nodes.map(({ value }) => value), pageInfo.hasNextPage])).toEqual([
      [[3, 4], true],
      [[5], false],
    ]);
    const beyond = await listScoreHistory(fixture.deps, owner, groups[0]!, {
      first: 2,
      after: last.pageInfo.endCursor,
    });
    expect(beyond).toMatchObject({ totalCount: 5, nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
  });

  it('requires read access to the group', async () => {
    const [owner] = await createUsers(fixture, 2);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner));
    await expect(listScoreHistory(fixture.deps, scorer, group, { first: 1 })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(listScoreHistory(fixture.deps, ANONYMOUS, group, { first: 1 })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(listScoreHistory(fixture.deps, owner, group, { first: 0, after: 'x' })).rejects.toEqual(
      errorWithFields('first', 'after'),
    );
  });
});
