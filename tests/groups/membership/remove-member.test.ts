import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import {
  cancelGroup,
  changeMemberRole,
  getGroup,
  inviteToGroup,
  listMembers,
  recordCompatibilityScore,
  removeMember,
  updateMemberStatus,
} from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('removeMember', () => {
  it('removes the member from list, counts and state, and records the revision', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other], { quorum: 2 });
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    await recordCompatibilityScore(fixture.deps, serviceActor(['scores:write']), { groupId, value: 5, source: 'x' });
    const { group } = await removeMember(fixture.deps, owner, { groupId, userId: guest.userId });
    expect(group).toMatchObject({
      state: 'FORMING',
      memberCount: 2,
      acceptedCount: 1,
      revision: 5,
      viewerMembership: { userId: owner.userId },
    });
    const { nodes } = await listMembers(fixture.deps, owner, group, { first: 10 });
    expect(nodes.map(({ userId }) => userId)).toEqual([owner.userId, other.userId].toSorted());
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      cause: 'REMOVED',
      actor_id: owner.userId,
      subject_id: guest.userId,
      status: null,
      state_before: 'CONFIRMED',
      state_after: 'FORMING',
      accepted_count: 1,
    });
    expect((await getGroup(fixture.deps, owner, groupId)).compatibilityScore).toMatchObject({ value: 5, stale: true });
    await expectGroupInvariants(fixture, groupId);
  });

  it('lowers the required count, which can confirm the group', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect((await removeMember(fixture.deps, owner, { groupId, userId: other.userId })).group).toMatchObject({
      state: 'CONFIRMED',
      requiredCount: 2,
    });
  });

  it('removes one member for two concurrent calls, with any response (chainloop#2257)', async () => {
    const [owner, accepted, declined] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [accepted, declined]);
    await updateMemberStatus(fixture.deps, accepted, { groupId, userId: accepted.userId, status: 'ACCEPTED' });
    await updateMemberStatus(fixture.deps, declined, { groupId, userId: declined.userId, status: 'DECLINED' });
    const responses = await Promise.allSettled(
      Array.from({ length: 8 }, () => removeMember(fixture.deps, owner, { groupId, userId: accepted.userId })),
    );
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(responses.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: errorWithReason('MEMBER_NOT_FOUND'),
    });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ acceptedCount: 1, memberCount: 2 });
    await removeMember(fixture.deps, owner, { groupId, userId: declined.userId });
    await expect(removeMember(fixture.deps, owner, { groupId, userId: declined.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      acceptedCount: 1,
      memberCount: 1,
      counts: { declined: 0 },
      state: 'FORMING',
    });
  });

  it('hides the group from the removed member, who can be invited again', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    await removeMember(fixture.deps, owner, { groupId, userId: guest.userId });
    await expect(getGroup(fixture.deps, guest, groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(
      updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' }),
    ).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    const { results } = await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] });
    expect(results[0]).toMatchObject({
      outcome: 'INVITED',
      member: { status: 'PENDING', respondedAt: null, revision: 1 },
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('works in cancelled groups and after the deadline without changing the state', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other], {
      respondBy: fixture.clock.in(1_000),
    });
    fixture.clock.advance(2_000);
    expect((await removeMember(fixture.deps, owner, { groupId, userId: guest.userId })).group).toMatchObject({
      state: 'EXPIRED',
      requiredCount: 3,
      revision: 5,
    });
    await cancelGroup(fixture.deps, owner, { groupId });
    expect((await removeMember(fixture.deps, owner, { groupId, userId: other.userId })).group).toMatchObject({
      state: 'CANCELLED',
      memberCount: 1,
    });
    await expect(removeMember(fixture.deps, owner, { groupId, userId: owner.userId })).rejects.toEqual(
      errorWithReason('LAST_OWNER'),
    );
    await expectGroupInvariants(fixture, groupId);
  });

  it('returns the group without members to an owner who removes the own membership', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    const { group } = await removeMember(fixture.deps, owner, { groupId, userId: owner.userId });
    expect(group).toMatchObject({ memberCount: 1, viewerMembership: null });
    await expect(listMembers(fixture.deps, owner, group, { first: 1 })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expectGroupInvariants(fixture, groupId);
  });

  it('allows only owners and administrators', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const removal = { groupId, userId: guest.userId };
    await expect(removeMember(fixture.deps, ANONYMOUS, removal)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(removeMember(fixture.deps, stranger, removal)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(removeMember(fixture.deps, owner, { ...removal, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(removeMember(fixture.deps, guest, { groupId, userId: stranger.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(removeMember(fixture.deps, guest, removal)).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(removeMember(fixture.deps, guest, { groupId, userId: owner.userId })).rejects.toEqual(
      errorWithReason('OWNER_REQUIRED'),
    );
    await expect(removeMember(fixture.deps, serviceActor(['responses:write', 'groups:read']), removal)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    expect((await removeMember(fixture.deps, await createAdmin(fixture), removal)).group).toMatchObject({
      memberCount: 1,
      viewerIsInvitee: false,
    });
    await expect(
      removeMember(fixture.deps, await createAdmin(fixture), { groupId, userId: owner.userId }),
    ).rejects.toEqual(errorWithReason('LAST_OWNER'));
  });
});
