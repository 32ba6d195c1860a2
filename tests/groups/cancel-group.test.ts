import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { cancelGroup, getGroup } from '../../src/groups/index.js';
import { expectConsistent } from '../support/consistent-group.js';
import { administrator, groupOf, type GroupsWorld, NOBODY, openGroupsWorld, people, program } from '../support/groups.js';
import { refusal } from '../support/refused.js';

let world: GroupsWorld;
beforeAll(async () => {
  world = await openGroupsWorld();
});
afterAll(() => world.close());

describe('cancelling a group', () => {
  it('ends it, whatever its state was', async () => {
    const [owner] = await people(world, 2);
    const groupId = await groupOf(world, owner, [], { quorum: 1 });
    world.clock.advance(1_000);
    const { group } = await cancelGroup(world.deps, owner, { groupId });
    expect(group).toMatchObject({ state: 'CANCELLED', stateChangedAt: world.clock.now(), cancelledAt: world.clock.now(), revision: 2 });
    await expectConsistent(world, groupId);
  });

  it('changes nothing the second time', async () => {
    const [owner] = await people(world, 2);
    const groupId = await groupOf(world, owner);
    const { group } = await cancelGroup(world.deps, owner, { groupId });
    world.clock.advance(1_000);
    expect((await cancelGroup(world.deps, owner, { groupId })).group).toEqual(group);
    expect((await getGroup(world.deps, owner, groupId)).revision).toBe(2);
  });

  it('happens once when it is asked for ten times at once', async () => {
    const [owner] = await people(world, 2);
    const groupId = await groupOf(world, owner);
    await Promise.all(Array.from({ length: 10 }, () => cancelGroup(world.deps, owner, { groupId })));
    expect((await expectConsistent(world, groupId)).revision).toBe(2);
  });

  it('is for owners and administrators', async () => {
    const [owner, guest, stranger] = await people(world, 3);
    const groupId = await groupOf(world, owner, [guest]);
    await expect(cancelGroup(world.deps, NOBODY, { groupId })).rejects.toEqual(refusal('TOKEN_MISSING'));
    await expect(cancelGroup(world.deps, stranger, { groupId })).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    await expect(cancelGroup(world.deps, owner, { groupId: newId() })).rejects.toEqual(refusal('GROUP_NOT_FOUND'));
    await expect(cancelGroup(world.deps, guest, { groupId })).rejects.toEqual(refusal('OWNER_REQUIRED'));
    await expect(cancelGroup(world.deps, program(['responses:write']), { groupId })).rejects.toEqual(refusal('SCOPE_REQUIRED'));
    expect((await cancelGroup(world.deps, await administrator(world), { groupId })).group.state).toBe('CANCELLED');
  });
});
