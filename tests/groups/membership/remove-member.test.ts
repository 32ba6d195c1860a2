import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
  createGroupsFixture,
  createGroupWithMembers,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

describe('removeMember', () => {
  it('removes the member from list, counts and state, and records the revision', async () => {
    const [owner, guest, other] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, other], { quorum: 2 });
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    await recordCompatibilityScore(world.deps, serviceActor(['scores:write']), { groupId, value: 5, source: 'x' });
    const { group } = await removeMember(world.deps, owner, { groupId, userId: guest.userId });
    expect(group).toMatchObject({
      state: 'FORMING',
      memberCount: 2,
      acceptedCount: 1,
      revision: 5,
      viewerMembership: { userId: owner.userId },
    });
    const { nodes } = await listMembers(world.deps, owner, group, { first: 10 });
    expect(nodes.map(({ userId }) => userId)).toEqual([owner.userId, other.userId].toSorted());
    expect((await readHistoryRows(world, groupId)).at(-1)).toMatchObject({
      cause: 'REMOVED',
      actor_id: owner.userId,
      subject_id: guest.userId,
      status: null,
      state_before: 'CONFIRMED',
      state_after: 'FORMING',
      accepted_count: 1,
    });
    expect((await getGroup(world.deps, owner, groupId)).compatibilityScore).toMatchObject({ value: 5, stale: true });
    await expectGroupInvariants(world, groupId);
  });

  it('lowers the required count, which can confirm the group', async () => {
    const [owner, guest, other] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, other]);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect((await removeMember(world.deps, owner, { groupId, userId: other.userId })).group).toMatchObject({
      state: 'CONFIRMED',
      requiredCount: 2,
    });
  });

  it('removes one member for two concurrent calls, with any response (chainloop#2257)', async () => {
    const [owner, accepted, declined] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [accepted, declined]);
    await updateMemberStatus(world.deps, accepted, { groupId, userId: accepted.userId, status: 'ACCEPTED' });
    await updateMemberStatus(world.deps, declined, { groupId, userId: declined.userId, status: 'DECLINED' });
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () => removeMember(world.deps, owner, { groupId, userId: accepted.userId })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: errorWithReason('MEMBER_NOT_FOUND'),
    });
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({ acceptedCount: 1, memberCount: 2 });
    await removeMember(world.deps, owner, { groupId, userId: declined.userId });
    await expect(removeMember(world.deps, owner, { groupId, userId: declined.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({
      acceptedCount: 1,
      memberCount: 1,
      counts: { declined: 0 },
      state: 'FORMING',
    });
  });

  it('hides the group from the removed member, who can be invited again', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    await removeMember(world.deps, owner, { groupId, userId: guest.userId });
    await expect(getGroup(world.deps, guest, groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(
      updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' }),
    ).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    const { results } = await inviteToGroup(world.deps, owner, { groupId, invitees: [{ userId: guest.userId }] });
    expect(results[0]).toMatchObject({
      outcome: 'INVITED',
      member: { status: 'PENDING', respondedAt: null, revision: 1 },
    });
    await expectGroupInvariants(world, groupId);
  });

  it('works in cancelled groups and after the deadline without changing the state', async () => {
    const [owner, guest, other] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, other], { respondBy: world.clock.in(1_000) });
    world.clock.advance(2_000);
    expect((await removeMember(world.deps, owner, { groupId, userId: guest.userId })).group).toMatchObject({
      state: 'EXPIRED',
      requiredCount: 3,
      revision: 5,
    });
    await cancelGroup(world.deps, owner, { groupId });
    expect((await removeMember(world.deps, owner, { groupId, userId: other.userId })).group).toMatchObject({
      state: 'CANCELLED',
      memberCount: 1,
    });
    await expect(removeMember(world.deps, owner, { groupId, userId: owner.userId })).rejects.toEqual(
      errorWithReason('LAST_OWNER'),
    );
    await expectGroupInvariants(world, groupId);
  });

  it('returns the group without members to an owner who removes the own membership', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    const { group } = await removeMember(world.deps, owner, { groupId, userId: owner.userId });
    expect(group).toMatchObject({ memberCount: 1, viewerMembership: null });
    await expect(listMembers(world.deps, owner, group, { first: 1 })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expectGroupInvariants(world, groupId);
  });

  it('allows only owners and administrators', async () => {
    const [owner, guest, stranger] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const removal = { groupId, userId: guest.userId };
    await expect(removeMember(world.deps, ANONYMOUS, removal)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(removeMember(world.deps, stranger, removal)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(removeMember(world.deps, owner, { ...removal, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(removeMember(world.deps, guest, { groupId, userId: stranger.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(removeMember(world.deps, guest, removal)).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(removeMember(world.deps, guest, { groupId, userId: owner.userId })).rejects.toEqual(
      errorWithReason('OWNER_REQUIRED'),
    );
    await expect(removeMember(world.deps, serviceActor(['responses:write', 'groups:read']), removal)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    expect((await removeMember(world.deps, await createAdmin(world), removal)).group).toMatchObject({
      memberCount: 1,
      viewerIsInvitee: false,
    });
    await expect(removeMember(world.deps, await createAdmin(world), { groupId, userId: owner.userId })).rejects.toEqual(
      errorWithReason('LAST_OWNER'),
    );
  });
});
