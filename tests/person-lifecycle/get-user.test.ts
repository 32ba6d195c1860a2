import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { leaveGroup, updateMemberStatus } from '../../src/groups/index.js';
import { getUser } from '../../src/person-lifecycle/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('getUser', () => {
  it('returns users who share a group with the caller, with any responses', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    const profile = await getUser(fixture.deps, other, guest.userId);
    expect(Object.keys(profile).toSorted()).toEqual(['createdAt', 'displayName', 'id', 'username']);
    expect(profile).toMatchObject({ id: guest.userId, displayName: null });
    expect((await getUser(fixture.deps, guest, owner.userId)).id).toBe(owner.userId);
    await leaveGroup(fixture.deps, guest, { groupId });
    await expect(getUser(fixture.deps, other, guest.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
    await expect(getUser(fixture.deps, guest, other.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
  });

  it("returns the caller's own profile, and all profiles to enabled administrators", async () => {
    const [someone, root] = [await createUser(fixture), await createAdmin(fixture)];
    expect((await getUser(fixture.deps, someone, someone.userId)).id).toBe(someone.userId);
    expect((await getUser(fixture.deps, root, someone.userId)).id).toBe(someone.userId);
    await expect(getUser(fixture.deps, someone, root.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
    await fixture.sql('update account set disabled_at = now() where id = $1', [root.userId]);
    await expect(getUser(fixture.deps, root, someone.userId)).rejects.toEqual(errorWithReason('USER_NOT_FOUND'));
  });

  it('throws USER_NOT_FOUND for other callers as for an unknown user', async () => {
    const [someone, stranger] = await createUsers(fixture, 2);
    const refusals = await Promise.allSettled([
      getUser(fixture.deps, stranger, someone.userId),
      getUser(fixture.deps, stranger, newId()),
    ]);
    expect(refusals.map((response) => response.status === 'rejected' && String(response.reason))).toEqual(
      Array(2).fill('NotFoundError: There is no such user.'),
    );
    await expect(getUser(fixture.deps, ANONYMOUS, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(getUser(fixture.deps, serviceActor(['groups:read']), someone.userId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });
});
