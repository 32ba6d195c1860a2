import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { leaveGroup, updateMemberStatus } from '../../src/groups/index.js';
import { getUser } from '../../src/person-lifecycle/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupsFixture,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../support/groups/groups-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

describe('getUser', () => {
  it('returns users who share a group with the caller, with any responses', async () => {
    const [owner, guest, other] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, other]);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    const profile = await getUser(world.deps, other, guest.userId);
    expect(Object.keys(profile).toSorted()).toEqual(['createdAt', 'displayName', 'id', 'username']);
    expect(profile).toMatchObject({ id: guest.userId, displayName: null });
    expect((await getUser(world.deps, guest, owner.userId)).id).toBe(owner.userId);
    await leaveGroup(world.deps, guest, { groupId });
    await expect(getUser(world.deps, other, guest.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
    await expect(getUser(world.deps, guest, other.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
  });

  it("returns the caller's own profile, and all profiles to enabled administrators", async () => {
    const [someone, root] = [await createUser(world), await createAdmin(world)];
    expect((await getUser(world.deps, someone, someone.userId)).id).toBe(someone.userId);
    expect((await getUser(world.deps, root, someone.userId)).id).toBe(someone.userId);
    await expect(getUser(world.deps, someone, root.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
    await world.sql('update account set disabled_at = now() where id = $1', [root.userId]);
    await expect(getUser(world.deps, root, someone.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
  });

  it('throws USER_NOT_FOUND for other callers as for an unknown user', async () => {
    const [someone, stranger] = await createUsers(world, 2);
    const refusals = await Promise.allSettled([
      getUser(world.deps, stranger, someone.userId),
      getUser(world.deps, stranger, newId()),
    ]);
    expect(refusals.map((answer) => answer.status === 'rejected' && String(answer.reason))).toEqual(
      Array(2).fill('NotFoundError: There is no such user.'),
    );
    await expect(getUser(world.deps, ANONYMOUS, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(getUser(world.deps, serviceActor(['groups:read']), someone.userId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });
});
