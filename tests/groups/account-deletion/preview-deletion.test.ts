import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cancelGroup, changeMemberRole, previewDeletion, updateMemberStatus } from '../../../src/groups/index.js';
import { historyOf } from '../../support/consistent-group.js';
import { groupOf, type GroupsWorld, NOBODY, openGroupsWorld, people, program } from '../../support/groups.js';
import { hosted, inviteAddresses, newAddress, personWithEmail } from '../../support/invitations.js';
import { refusal } from '../../support/refused.js';
import { countStatements } from '../../support/statements.js';

let world: GroupsWorld;
beforeAll(async () => {
  world = await openGroupsWorld();
});
afterAll(() => world.close());

describe('the preview of deleting an account', () => {
  it('names the groups that stand in its way: no cancelled ones, none with another owner, none without others', async () => {
    const [owner, guest] = await people(world, 2);
    const blocking = await groupOf(world, owner, [guest]);
    const shared = await groupOf(world, owner, [guest]);
    await changeMemberRole(world.deps, owner, { groupId: shared, userId: guest.userId, role: 'OWNER' });
    const cancelled = await groupOf(world, owner, [guest]);
    await cancelGroup(world.deps, owner, { groupId: cancelled });
    await groupOf(world, owner);
    const { blockingGroups, changingGroups, sentInvitations } = await previewDeletion(world.deps, owner, owner.userId);
    expect(blockingGroups).toMatchObject([{ id: blocking, memberCount: 2, viewerMembership: { role: 'OWNER' } }]);
    expect(changingGroups.map(({ group, before, after }) => [group.id, before, after])).toEqual([[shared, 'FORMING', 'FORMING'], [cancelled, 'CANCELLED', 'CANCELLED']]);
    expect(sentInvitations).toBe(0);
  });

  it('says what the states would become', async () => {
    const [owner, leaver, other] = await people(world, 3);
    const confirmed = await groupOf(world, owner, [leaver]);
    await updateMemberStatus(world.deps, leaver, { groupId: confirmed, userId: leaver.userId, status: 'ACCEPTED' });
    const failed = await groupOf(world, owner, [leaver, other]);
    await updateMemberStatus(world.deps, leaver, { groupId: failed, userId: leaver.userId, status: 'DECLINED' });
    await updateMemberStatus(world.deps, other, { groupId: failed, userId: other.userId, status: 'ACCEPTED' });
    const expired = await groupOf(world, owner, [leaver, other], { respondBy: world.clock.in(1) });
    await updateMemberStatus(world.deps, other, { groupId: expired, userId: other.userId, status: 'ACCEPTED' });
    world.clock.advance(1);
    const { changingGroups } = await previewDeletion(world.deps, leaver, leaver.userId);
    expect(changingGroups.map(({ group, before, after }) => [group.id, before, after])).toEqual([
      [confirmed, 'CONFIRMED', 'FORMING'], [failed, 'FAILED', 'CONFIRMED'], [expired, 'EXPIRED', 'EXPIRED'],
    ]);
    expect(await historyOf(world, expired)).toHaveLength(4);
  });

  it('counts the invitations that stay, and shows those that go as a change of their groups', async () => {
    const leaver = await personWithEmail(world);
    const [row] = await world.sql<{ email: string }>('select email from account where id = $1', [leaver.userId]);
    const { groupId, owner, invite } = await hosted(world, [leaver]);
    await changeMemberRole(world.deps, owner, { groupId, userId: leaver.userId, role: 'OWNER' });
    await inviteAddresses(world, leaver, groupId, [newAddress(), newAddress()]);
    await invite(newAddress());
    await inviteAddresses(world, leaver, await groupOf(world, leaver), [newAddress()]);
    const inviting = await hosted(world);
    await inviting.invite(row?.email ?? '');
    const { changingGroups, sentInvitations } = await previewDeletion(world.deps, leaver, leaver.userId);
    expect(sentInvitations).toBe(2);
    expect(changingGroups).toMatchObject([{ group: { id: groupId } }, { group: { id: inviting.groupId, fromOutside: true, viewerMembership: null } }]);
  });

  it('takes two statements, however many groups there are', async () => {
    const [owner, leaver] = await people(world, 2);
    for (let index = 0; index < 12; index += 1) await groupOf(world, owner, [leaver]);
    const { result, statements } = await countStatements(() => previewDeletion(world.deps, leaver, leaver.userId));
    expect([result.changingGroups.length, statements]).toEqual([12, 2]);
  });

  it('is one\'s own', async () => {
    const [someone, other] = await people(world, 2);
    await expect(previewDeletion(world.deps, NOBODY, someone.userId)).rejects.toEqual(refusal('TOKEN_MISSING'));
    await expect(previewDeletion(world.deps, other, someone.userId)).rejects.toEqual(refusal('TOKEN_INVALID'));
    await expect(previewDeletion(world.deps, program(['groups:read']), someone.userId)).rejects.toEqual(refusal('SCOPE_REQUIRED'));
  });
});
