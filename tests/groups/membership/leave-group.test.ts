import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, changeMemberRole, getGroup, leaveGroup, updateMemberStatus } from '../../../src/groups/index.js';
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

describe('leaveGroup', () => {
  it("ends the caller's membership in one revision and hides the group", async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect(await leaveGroup(world.deps, guest, { groupId })).toEqual({ groupId });
    expect((await readHistoryRows(world, groupId)).at(-1)).toMatchObject({
      cause: 'LEFT',
      actor_id: guest.userId,
      subject_id: guest.userId,
      status: null,
      state_before: 'CONFIRMED',
      state_after: 'FORMING',
    });
    await expect(getGroup(world.deps, guest, groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(leaveGroup(world.deps, guest, { groupId })).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({
      memberCount: 1,
      acceptedCount: 1,
      revision: 4,
    });
  });

  it('works in every state, and rejects the last owner', async () => {
    const [owner, guest, late] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, late], { respondBy: world.clock.in(1_000) });
    await expect(leaveGroup(world.deps, owner, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    world.clock.advance(2_000);
    await leaveGroup(world.deps, late, { groupId });
    await cancelGroup(world.deps, owner, { groupId });
    await leaveGroup(world.deps, guest, { groupId });
    await expect(leaveGroup(world.deps, owner, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({ state: 'CANCELLED', memberCount: 1 });
  });

  it('lets an owner leave when there is another owner', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    await leaveGroup(world.deps, owner, { groupId });
    await expect(leaveGroup(world.deps, guest, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    await expectGroupInvariants(world, groupId);
  });

  it('rejects callers who are no members', async () => {
    const [owner, stranger] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner);
    await expect(leaveGroup(world.deps, ANONYMOUS, { groupId })).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(leaveGroup(world.deps, stranger, { groupId })).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(leaveGroup(world.deps, await createAdmin(world), { groupId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(leaveGroup(world.deps, serviceActor(['groups:read']), { groupId })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(leaveGroup(world.deps, serviceActor(['groups:read'], [newId()]), { groupId })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });
});
