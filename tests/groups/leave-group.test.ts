import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { cancelGroup, changeMemberRole, getGroup, leaveGroup, updateMemberStatus } from '../../src/groups/index.js';
import { expectConsistent, historyOf } from '../support/consistent-group.js';
import { administrator, groupOf, type GroupsWorld, NOBODY, openGroupsWorld, people, program } from '../support/groups.js';
import { refusal } from '../support/refused.js';

let world: GroupsWorld;
beforeAll(async () => {
  world = await openGroupsWorld();
});
afterAll(() => world.close());

describe('leaving a group', () => {
  it('takes oneself out, as one revision, and hides the group', async () => {
    const [owner, guest] = await people(world, 2);
    const groupId = await groupOf(world, owner, [guest]);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect(await leaveGroup(world.deps, guest, { groupId })).toEqual({ groupId });
    expect((await historyOf(world, groupId)).at(-1)).toMatchObject({
      cause: 'LEFT', actor_id: guest.userId, subject_id: guest.userId, status: null, state_before: 'CONFIRMED', state_after: 'FORMING',
    });
    await expect(getGroup(world.deps, guest, groupId)).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    await expect(leaveGroup(world.deps, guest, { groupId })).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    expect(await expectConsistent(world, groupId)).toMatchObject({ memberCount: 1, acceptedCount: 1, revision: 4 });
  });

  it('is open in every state; the last owner stays, cancelled or not', async () => {
    const [owner, guest, late] = await people(world, 3);
    const groupId = await groupOf(world, owner, [guest, late], { respondBy: world.clock.in(1_000) });
    await expect(leaveGroup(world.deps, owner, { groupId })).rejects.toEqual(refusal('LAST_OWNER'));
    world.clock.advance(2_000);
    await leaveGroup(world.deps, late, { groupId });
    await cancelGroup(world.deps, owner, { groupId });
    await leaveGroup(world.deps, guest, { groupId });
    await expect(leaveGroup(world.deps, owner, { groupId })).rejects.toEqual(refusal('LAST_OWNER'));
    expect(await expectConsistent(world, groupId)).toMatchObject({ state: 'CANCELLED', memberCount: 1 });
  });

  it('is open to an owner beside whom there is another', async () => {
    const [owner, guest] = await people(world, 2);
    const groupId = await groupOf(world, owner, [guest]);
    await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    await leaveGroup(world.deps, owner, { groupId });
    await expect(leaveGroup(world.deps, guest, { groupId })).rejects.toEqual(refusal('LAST_OWNER'));
    await expectConsistent(world, groupId);
  });

  it('takes a person who is in it', async () => {
    const [owner, stranger] = await people(world, 2);
    const groupId = await groupOf(world, owner);
    await expect(leaveGroup(world.deps, NOBODY, { groupId })).rejects.toEqual(refusal('TOKEN_MISSING'));
    await expect(leaveGroup(world.deps, stranger, { groupId })).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    await expect(leaveGroup(world.deps, await administrator(world), { groupId })).rejects.toEqual(refusal('MEMBER_NOT_FOUND'));
    await expect(leaveGroup(world.deps, program(['groups:read']), { groupId })).rejects.toEqual(refusal('SCOPE_REQUIRED'));
    await expect(leaveGroup(world.deps, program(['groups:read'], [newId()]), { groupId })).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
  });
});
