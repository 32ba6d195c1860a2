import { describe, expect, it } from '@jest/globals';
import { cancelGroup, getGroup, listHistory, updateGroup, updateMemberStatus } from '../../../src/groups/index.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { createGroupWithMembers, createUsers, serviceActor } from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

/**
 * Revisions: created, two invited, one accepts (confirmed), renamed, the other declines, quorum of three (failed),
 * cancelled.
 */
async function eventfulGroup() {
  const [owner, first, second] = await createUsers(fixture, 3);
  const groupId = await createGroupWithMembers(fixture, owner, [first, second], { quorum: 2 });
  await updateMemberStatus(fixture.deps, first, { groupId, userId: first.userId, status: 'ACCEPTED' });
  await updateGroup(fixture.deps, owner, { groupId, name: 'Lunch club' });
  await updateMemberStatus(fixture.deps, serviceActor(['responses:write']), {
    groupId,
    userId: second.userId,
    status: 'DECLINED',
  });
  await updateGroup(fixture.deps, owner, { groupId, quorum: 3 });
  await cancelGroup(fixture.deps, owner, { groupId });
  return { owner, first, second, group: await getGroup(fixture.deps, owner, groupId) };
}

describe('listHistory', () => {
  it('returns all revisions with cause, author, subject and result, oldest first', async () => {
    const { owner, first, second, group } = await eventfulGroup();
    const { nodes, totalCount } = await listHistory(fixture.deps, owner, group, {
      first: 100,
      stateChangesOnly: false,
    });
    expect(totalCount).toBe(8);
    const at = fixture.clock.now();
    const common = { groupId: group.id, apiKey: null, subjectId: null, status: null, actorId: owner.userId, at };
    const counts = { pending: 0, accepted: 1, tentative: 0, declined: 0, openInvitations: 0, lapsedInvitations: 0 };
    expect(nodes).toEqual([
      {
        ...common,
        revision: 1,
        cause: 'CREATED',
        subjectId: owner.userId,
        status: 'ACCEPTED',
        before: null,
        after: 'FORMING',
        counts,
      },
      {
        ...common,
        revision: 2,
        cause: 'INVITED',
        subjectId: first.userId,
        status: 'PENDING',
        before: 'FORMING',
        after: 'FORMING',
        counts: { ...counts, pending: 1 },
      },
      {
        ...common,
        revision: 3,
        cause: 'INVITED',
        subjectId: second.userId,
        status: 'PENDING',
        before: 'FORMING',
        after: 'FORMING',
        counts: { ...counts, pending: 2 },
      },
      {
        ...common,
        revision: 4,
        cause: 'RESPONSE',
        actorId: first.userId,
        subjectId: first.userId,
        status: 'ACCEPTED',
        before: 'FORMING',
        after: 'CONFIRMED',
        counts: { ...counts, pending: 1, accepted: 2 },
      },
      {
        ...common,
        revision: 5,
        cause: 'RENAMED',
        before: 'CONFIRMED',
        after: 'CONFIRMED',
        counts: { ...counts, pending: 1, accepted: 2 },
      },
      {
        ...common,
        revision: 6,
        cause: 'RESPONSE',
        actorId: null,
        apiKey: 'matchmaker',
        subjectId: second.userId,
        status: 'DECLINED',
        before: 'CONFIRMED',
        after: 'CONFIRMED',
        counts: { ...counts, accepted: 2, declined: 1 },
      },
      {
        ...common,
        revision: 7,
        cause: 'RULE_CHANGED',
        before: 'CONFIRMED',
        after: 'FAILED',
        counts: { ...counts, accepted: 2, declined: 1 },
      },
      {
        ...common,
        revision: 8,
        cause: 'CANCELLED',
        before: 'FAILED',
        after: 'CANCELLED',
        counts: { ...counts, accepted: 2, declined: 1 },
      },
    ]);
  });

  it('returns only state changes, in pages, when stateChangesOnly is true', async () => {
    const { owner, group } = await eventfulGroup();
    const page = await listHistory(fixture.deps, owner, group, { first: 3, stateChangesOnly: true });
    expect(page.nodes.map(({ revision }) => revision)).toEqual([1, 4, 7]);
    expect(page).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const rest = await listHistory(fixture.deps, owner, group, {
      first: 3,
      stateChangesOnly: true,
      after: page.pageInfo.endCursor,
    });
    expect(rest.nodes.map(({ revision }) => revision)).toEqual([8]);
    expect(rest).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: false, hasPreviousPage: true } });
  });

  it('ends at the revision at which the group was read', async () => {
    const { owner, group } = await eventfulGroup();
    const page = await listHistory(
      fixture.deps,
      owner,
      { ...group, revision: 5 },
      { first: 5, stateChangesOnly: false },
    );
    expect(page).toMatchObject({ totalCount: 5, pageInfo: { hasNextPage: false } });
    expect(
      await listHistory(fixture.deps, owner, { ...group, revision: 5 }, { first: 5, stateChangesOnly: true }),
    ).toMatchObject({ totalCount: 2 });
  });

  it('rejects an invalid page size or cursor', async () => {
    const { owner, group } = await eventfulGroup();
    const forged = (text: string): string => Buffer.from(text).toString('base64url');
    for (const after of ['', 'x', forged('-1'), forged('1|2'), forged('01'), forged('1000000000'), forged('1e3')]) {
      await expect(
        listHistory(fixture.deps, owner, group, { first: 1_001, after, stateChangesOnly: false }),
      ).rejects.toEqual(errorWithFields('first', 'after'));
    }
  });

  it('throws SCOPE_REQUIRED for an API client without groups:read', async () => {
    const { group } = await eventfulGroup();
    const request = { first: 1, stateChangesOnly: false };
    await expect(listHistory(fixture.deps, serviceActor(['responses:write']), group, request)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });
});
