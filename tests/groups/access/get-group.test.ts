import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import {
  findCompatibilityScore,
  findMember,
  findViewerMembership,
  getGroup,
  recordCompatibilityScore,
  updateGroup,
  updateMemberStatus,
} from '../../../src/groups/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithReason } from '../../support/error-matchers.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('getGroup', () => {
  it("reads the group, the caller's membership and the score with one statement", async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const root = await createAdmin(fixture);
    await recordCompatibilityScore(fixture.deps, root, { groupId, value: 12, source: 'first' });
    await recordCompatibilityScore(fixture.deps, root, { groupId, value: 34, source: 'second' });
    const { result: group, statements } = await countStatements(() => getGroup(fixture.deps, guest, groupId));
    expect(statements).toBe(1);
    expect(group).toMatchObject({
      id: groupId,
      name: 'Supper club',
      state: 'FORMING',
      revision: 2,
      requiredCount: 2,
      memberCount: 2,
      acceptedCount: 1,
      counts: { pending: 1, accepted: 1, tentative: 0, declined: 0, openInvitations: 0, lapsedInvitations: 0 },
      viewerMembership: {
        groupId,
        userId: guest.userId,
        role: 'MEMBER',
        status: 'PENDING',
        invitedById: owner.userId,
        user: { id: guest.userId },
      },
      compatibilityScore: { value: 34, source: 'second', stale: false },
    });
  });

  it('reads for several callers with one statement when they call in one event-loop iteration', async () => {
    const [owner, ...guests] = await createUsers(fixture, 6);
    const one = await createGroupWithMembers(fixture, owner, guests);
    const other = await createGroupWithMembers(fixture, owner);
    const asks = [
      ...guests.map((guest) => ({ actor: guest, groupId: one })),
      { actor: owner, groupId: other },
      { actor: guests[0] ?? owner, groupId: other },
    ];
    const { result, statements } = await countStatements(() =>
      Promise.allSettled(asks.map(({ actor, groupId }) => getGroup(fixture.deps, actor, groupId))),
    );
    expect(statements).toBe(1);
    expect(
      result.map((response) =>
        response.status === 'fulfilled' ? [response.value.id, response.value.viewerMembership?.userId] : 'refused',
      ),
    ).toEqual([...guests.map(({ userId }) => [one, userId]), [other, owner.userId], 'refused']);
  });

  it('returns a change after its commit', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await getGroup(fixture.deps, guest, groupId);
    await updateGroup(fixture.deps, owner, { groupId, name: 'Lunch club' });
    expect((await getGroup(fixture.deps, guest, groupId)).name).toBe('Lunch club');
  });

  it('returns the group to members, administrators and API clients with groups:read', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    expect((await getGroup(fixture.deps, guest, groupId)).viewerMembership?.status).toBe('DECLINED');
    expect((await getGroup(fixture.deps, await createAdmin(fixture), groupId)).viewerMembership).toBeNull();
    expect((await getGroup(fixture.deps, serviceActor(['groups:read']), groupId)).viewerMembership).toBeNull();
    expect((await getGroup(fixture.deps, serviceActor(['groups:read'], [newId(), groupId]), groupId)).id).toBe(groupId);
  });

  it('throws GROUP_NOT_FOUND for a non-member as for an unknown group', async () => {
    const [owner, stranger] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const responses = await Promise.allSettled([groupId, newId()].map((id) => getGroup(fixture.deps, stranger, id)));
    const [hidden, absent] = responses.map((response) => (response.status === 'rejected' ? response.reason : response));
    expect(hidden).toEqual(errorWithReason('GROUP_NOT_FOUND'));
    expect(hidden).toEqual(absent);
  });

  it('rejects anonymous callers and API clients without scope or limited to other groups', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await expect(getGroup(fixture.deps, ANONYMOUS, groupId)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(getGroup(fixture.deps, serviceActor(['responses:write', 'scores:write']), groupId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(getGroup(fixture.deps, serviceActor(['groups:read'], [newId()]), groupId)).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(getGroup(fixture.deps, serviceActor(['groups:read']), newId())).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });

  it('throws GROUP_NOT_FOUND for an administrator whose account is disabled', async () => {
    const [owner] = await createUsers(fixture, 2);
    const root = await createAdmin(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    await fixture.sql('update account set disabled_at = now() where id = $1', [root.userId]);
    await expect(getGroup(fixture.deps, root, groupId)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
  });
});

describe('fields of a group that was read', () => {
  it('are not loaded again when they were preloaded', async () => {
    const [owner] = await createUsers(fixture, 2);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner));
    const { result, statements } = await countStatements(() =>
      Promise.all([findViewerMembership(fixture.deps, owner, group), findCompatibilityScore(fixture.deps, group)]),
    );
    expect(statements).toBe(0);
    expect(result).toEqual([group.viewerMembership, null]);
  });

  it('are loaded for all groups with one statement when they were not preloaded', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const ids = [
      await createGroupWithMembers(fixture, owner, [guest]),
      await createGroupWithMembers(fixture, owner, [guest]),
    ];
    await recordCompatibilityScore(fixture.deps, serviceActor(['scores:write']), {
      groupId: ids[0] ?? '',
      value: 5,
      source: 'x',
    });
    const groups = await Promise.all(ids.map((id) => getGroup(fixture.deps, guest, id)));
    const bare = groups.map((group) => ({ ...group, viewerMembership: undefined, compatibilityScore: undefined }));
    const { result, statements } = await countStatements(() =>
      Promise.all(
        bare.flatMap((group) => [
          findViewerMembership(fixture.deps, guest, group),
          findCompatibilityScore(fixture.deps, group),
        ]),
      ),
    );
    expect(statements).toBe(2);
    expect(result).toEqual(groups.flatMap((group) => [group.viewerMembership, group.compatibilityScore]));
  });

  it('return the membership of each member, and null for others', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner, [guest]));
    const { result, statements } = await countStatements(() =>
      Promise.all([guest, stranger].map(({ userId }) => findMember(fixture.deps, owner, group, userId))),
    );
    expect(statements).toBe(1);
    expect(result).toEqual([
      expect.objectContaining({
        userId: guest.userId,
        status: 'PENDING',
        user: expect.objectContaining({ id: guest.userId }),
      }),
      null,
    ]);
    await expect(findMember(fixture.deps, serviceActor(['scores:write']), group, guest.userId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });

  it('return no membership for an API client', async () => {
    const [owner] = await createUsers(fixture, 2);
    const group = await getGroup(fixture.deps, owner, await createGroupWithMembers(fixture, owner));
    expect(
      await findViewerMembership(fixture.deps, serviceActor(['groups:read']), {
        ...group,
        viewerMembership: undefined,
      }),
    ).toBeNull();
  });
});
