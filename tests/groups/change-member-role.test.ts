import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { cancelGroup, changeMemberRole, inviteToGroup, updateMemberStatus } from '../../src/groups/index.js';
import { expectConsistent, historyOf } from '../support/consistent-group.js';
import { administrator, groupOf, type GroupsWorld, NOBODY, openGroupsWorld, people, program } from '../support/groups.js';
import { refusal } from '../support/refused.js';

let world: GroupsWorld;
beforeAll(async () => {
  world = await openGroupsWorld();
});
afterAll(() => world.close());

describe('changing the role of a member', () => {
  it('makes a second owner, who may do what owners may, as one revision', async () => {
    const [owner, guest, other] = await people(world, 3);
    const groupId = await groupOf(world, owner, [guest]);
    await expect(inviteToGroup(world.deps, guest, { groupId, invitees: [{ userId: other.userId }] })).rejects.toEqual(refusal('OWNER_REQUIRED'));
    const { member } = await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    expect(member).toMatchObject({ userId: guest.userId, role: 'OWNER', status: 'PENDING', revision: 2 });
    expect((await historyOf(world, groupId)).at(-1)).toMatchObject({
      revision: 3, cause: 'ROLE_CHANGED', actor_id: owner.userId, subject_id: guest.userId, status: 'PENDING', state_before: 'FORMING', state_after: 'FORMING',
    });
    expect((await inviteToGroup(world.deps, guest, { groupId, invitees: [{ userId: other.userId }] })).results[0]?.outcome).toBe('INVITED');
    await expectConsistent(world, groupId);
  });

  it('leaves scores as fresh as they were', async () => {
    const [owner, guest] = await people(world, 2);
    const groupId = await groupOf(world, owner, [guest]);
    const [before] = await world.sql('select answers_revision from groups where id = $1', [groupId]);
    await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    expect(await world.sql('select answers_revision from groups where id = $1', [groupId])).toEqual([before]);
  });

  it('lets an owner step down once there is another', async () => {
    const [owner, guest] = await people(world, 2);
    const groupId = await groupOf(world, owner, [guest]);
    await expect(changeMemberRole(world.deps, owner, { groupId, userId: owner.userId, role: 'MEMBER' })).rejects.toEqual(refusal('LAST_OWNER'));
    await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    const { member } = await changeMemberRole(world.deps, owner, { groupId, userId: owner.userId, role: 'MEMBER' });
    expect(member.role).toBe('MEMBER');
    await expect(changeMemberRole(world.deps, owner, { groupId, userId: owner.userId, role: 'OWNER' })).rejects.toEqual(refusal('OWNER_REQUIRED'));
    await expect(changeMemberRole(world.deps, guest, { groupId, userId: guest.userId, role: 'MEMBER' })).rejects.toEqual(refusal('LAST_OWNER'));
    await expectConsistent(world, groupId);
  });

  it('changes nothing when they have that role, also in a cancelled group', async () => {
    const [owner, guest] = await people(world, 2);
    const groupId = await groupOf(world, owner, [guest]);
    await cancelGroup(world.deps, owner, { groupId });
    expect((await changeMemberRole(world.deps, owner, { groupId, userId: owner.userId, role: 'OWNER' })).member.revision).toBe(1);
    expect(await historyOf(world, groupId)).toHaveLength(3);
    await expect(changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' })).rejects.toEqual(refusal('GROUP_CANCELLED'));
    await expect(changeMemberRole(world.deps, owner, { groupId, userId: owner.userId, role: 'MEMBER' })).rejects.toEqual(refusal('GROUP_CANCELLED'));
  });

  it('goes on past a deadline, which it records first', async () => {
    const [owner, guest] = await people(world, 2);
    const groupId = await groupOf(world, owner, [guest], { respondBy: world.clock.in(1_000) });
    world.clock.advance(2_000);
    await changeMemberRole(world.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    expect((await historyOf(world, groupId)).map(({ cause }) => cause)).toEqual(['CREATED', 'INVITED', 'DEADLINE', 'ROLE_CHANGED']);
    await expectConsistent(world, groupId);
  });

  it('is for owners and administrators; members who are not there come before rights', async () => {
    const [owner, guest, stranger] = await people(world, 3);
    const groupId = await groupOf(world, owner, [guest]);
    const promotion = { groupId, userId: guest.userId, role: 'OWNER' } as const;
    await expect(changeMemberRole(world.deps, NOBODY, promotion)).rejects.toEqual(refusal('TOKEN_MISSING'));
    await expect(changeMemberRole(world.deps, stranger, promotion)).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    await expect(changeMemberRole(world.deps, owner, { ...promotion, groupId: newId() })).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    await expect(changeMemberRole(world.deps, guest, { ...promotion, userId: stranger.userId })).rejects.toEqual(refusal('MEMBER_NOT_FOUND'));
    await expect(changeMemberRole(world.deps, guest, promotion)).rejects.toEqual(refusal('OWNER_REQUIRED'));
    await expect(changeMemberRole(world.deps, program(['responses:write', 'groups:read']), promotion)).rejects.toEqual(refusal('SCOPE_REQUIRED'));
    expect((await changeMemberRole(world.deps, await administrator(world), promotion)).member.role).toBe('OWNER');
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    expect((await changeMemberRole(world.deps, guest, { ...promotion, userId: owner.userId, role: 'MEMBER' })).member.role).toBe('MEMBER');
    await expectConsistent(world, groupId);
  });
});
