import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, getGroup } from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants } from '../../support/groups/group-invariants.js';
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

describe('cancelGroup', () => {
  it('sets the state to CANCELLED from any state', async () => {
    const [owner] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [], { quorum: 1 });
    world.clock.advance(1_000);
    const { group } = await cancelGroup(world.deps, owner, { groupId });
    expect(group).toMatchObject({
      state: 'CANCELLED',
      stateChangedAt: world.clock.now(),
      cancelledAt: world.clock.now(),
      revision: 2,
    });
    await expectGroupInvariants(world, groupId);
  });

  it('changes nothing when the group is cancelled already', async () => {
    const [owner] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner);
    const { group } = await cancelGroup(world.deps, owner, { groupId });
    world.clock.advance(1_000);
    expect((await cancelGroup(world.deps, owner, { groupId })).group).toEqual(group);
    expect((await getGroup(world.deps, owner, groupId)).revision).toBe(2);
  });

  it('records one revision for ten concurrent calls', async () => {
    const [owner] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner);
    await Promise.all(Array.from({ length: 10 }, () => cancelGroup(world.deps, owner, { groupId })));
    expect((await expectGroupInvariants(world, groupId)).revision).toBe(2);
  });

  it('allows only owners and administrators', async () => {
    const [owner, guest, stranger] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await expect(cancelGroup(world.deps, ANONYMOUS, { groupId })).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(cancelGroup(world.deps, stranger, { groupId })).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(cancelGroup(world.deps, owner, { groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(cancelGroup(world.deps, guest, { groupId })).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(cancelGroup(world.deps, serviceActor(['responses:write']), { groupId })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    expect((await cancelGroup(world.deps, await createAdmin(world), { groupId })).group.state).toBe('CANCELLED');
  });
});
