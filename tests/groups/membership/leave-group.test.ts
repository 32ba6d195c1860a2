import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, changeMemberRole, getGroup, leaveGroup, updateMemberStatus } from '../../../src/groups/index.js';
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

describe('leaveGroup', () => {
  it("ends the caller's membership in one revision and hides the group", async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect(await leaveGroup(fixture.deps, guest, { groupId })).toEqual({ groupId });
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      cause: 'LEFT',
      actor_id: guest.userId,
      subject_id: guest.userId,
      status: null,
      state_before: 'CONFIRMED',
      state_after: 'FORMING',
    });
    await expect(getGroup(fixture.deps, guest, groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(leaveGroup(fixture.deps, guest, { groupId })).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 1,
      acceptedCount: 1,
      revision: 4,
    });
  });

  it('works in every state, and rejects the last owner', async () => {
    const [owner, guest, late] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, late], { respondBy: fixture.clock.in(1_000) });
    await expect(leaveGroup(fixture.deps, owner, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    fixture.clock.advance(2_000);
    await leaveGroup(fixture.deps, late, { groupId });
    await cancelGroup(fixture.deps, owner, { groupId });
    await leaveGroup(fixture.deps, guest, { groupId });
    await expect(leaveGroup(fixture.deps, owner, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'CANCELLED', memberCount: 1 });
  });

  it('lets an owner leave when there is another owner', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    await leaveGroup(fixture.deps, owner, { groupId });
    await expect(leaveGroup(fixture.deps, guest, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    await expectGroupInvariants(fixture, groupId);
  });

  it('rejects callers who are no members', async () => {
    const [owner, stranger] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await expect(leaveGroup(fixture.deps, ANONYMOUS, { groupId })).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(leaveGroup(fixture.deps, stranger, { groupId })).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(leaveGroup(fixture.deps, await createAdmin(fixture), { groupId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(leaveGroup(fixture.deps, serviceActor(['groups:read']), { groupId })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(leaveGroup(fixture.deps, serviceActor(['groups:read'], [newId()]), { groupId })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });
});
