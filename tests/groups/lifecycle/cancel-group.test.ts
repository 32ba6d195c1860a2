import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, getGroup } from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('cancelGroup', () => {
  it('sets the state to CANCELLED from any state', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [], { quorum: 1 });
    fixture.clock.advance(1_000);
    const { group } = await cancelGroup(fixture.deps, owner, { groupId });
    expect(group).toMatchObject({
      state: 'CANCELLED',
      stateChangedAt: fixture.clock.now(),
      cancelledAt: fixture.clock.now(),
      revision: 2,
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('changes nothing when the group is cancelled already', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const { group } = await cancelGroup(fixture.deps, owner, { groupId });
    fixture.clock.advance(1_000);
    expect((await cancelGroup(fixture.deps, owner, { groupId })).group).toEqual(group);
    expect((await getGroup(fixture.deps, owner, groupId)).revision).toBe(2);
  });

  it('records one revision for ten concurrent calls', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await Promise.all(Array.from({ length: 10 }, () => cancelGroup(fixture.deps, owner, { groupId })));
    expect((await expectGroupInvariants(fixture, groupId)).revision).toBe(2);
  });

  it('allows only owners and administrators', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await expect(cancelGroup(fixture.deps, ANONYMOUS, { groupId })).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(cancelGroup(fixture.deps, stranger, { groupId })).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(cancelGroup(fixture.deps, owner, { groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(cancelGroup(fixture.deps, guest, { groupId })).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(cancelGroup(fixture.deps, serviceActor(['responses:write']), { groupId })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    expect((await cancelGroup(fixture.deps, await createAdmin(fixture), { groupId })).group.state).toBe('CANCELLED');
  });
});
