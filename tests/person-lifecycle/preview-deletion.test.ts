import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cancelGroup, changeMemberRole, updateMemberStatus } from '../../src/groups/index.js';
import { countDeletionEffects, listBlockingGroups, listChangingGroups } from '../../src/person-lifecycle/index.js';
import { countStatements } from '../support/database/count-statements.js';
import { errorWithReason } from '../support/error-matchers.js';
import { previewDeletion } from '../support/groups/deletion-fixture.js';
import { readHistoryRows } from '../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createGroupsFixture,
  createGroupWithMembers,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../support/groups/groups-fixture.js';
import {
  createInvitingGroup,
  createUserWithEmail,
  inviteAddresses,
  uniqueEmail,
} from '../support/groups/invitation-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

describe('deletion preview', () => {
  it('lists blocking groups: not cancelled, without another owner, with other members', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const blocking = await createGroupWithMembers(world, owner, [guest]);
    const shared = await createGroupWithMembers(world, owner, [guest]);
    await changeMemberRole(world.deps, owner, { groupId: shared, userId: guest.userId, role: 'OWNER' });
    const cancelled = await createGroupWithMembers(world, owner, [guest]);
    await cancelGroup(world.deps, owner, { groupId: cancelled });
    await createGroupWithMembers(world, owner);
    const { blockingGroups, changingGroups, sentInvitations } = await previewDeletion(world, owner, owner.userId);
    expect(blockingGroups).toMatchObject([{ id: blocking, memberCount: 2, viewerMembership: { role: 'OWNER' } }]);
    expect(changingGroups.map(({ group, before, after }) => [group.id, before, after])).toEqual([
      [shared, 'FORMING', 'FORMING'],
      [cancelled, 'CANCELLED', 'CANCELLED'],
    ]);
    expect(sentInvitations).toBe(0);
  });

  it('returns the states after the deletion', async () => {
    const [owner, leaver, other] = await createUsers(world, 3);
    const confirmed = await createGroupWithMembers(world, owner, [leaver]);
    await updateMemberStatus(world.deps, leaver, { groupId: confirmed, userId: leaver.userId, status: 'ACCEPTED' });
    const failed = await createGroupWithMembers(world, owner, [leaver, other]);
    await updateMemberStatus(world.deps, leaver, { groupId: failed, userId: leaver.userId, status: 'DECLINED' });
    await updateMemberStatus(world.deps, other, { groupId: failed, userId: other.userId, status: 'ACCEPTED' });
    const expired = await createGroupWithMembers(world, owner, [leaver, other], { respondBy: world.clock.in(1) });
    await updateMemberStatus(world.deps, other, { groupId: expired, userId: other.userId, status: 'ACCEPTED' });
    world.clock.advance(1);
    const { changingGroups } = await previewDeletion(world, leaver, leaver.userId);
    expect(changingGroups.map(({ group, before, after }) => [group.id, before, after])).toEqual([
      [confirmed, 'CONFIRMED', 'FORMING'],
      [failed, 'FAILED', 'CONFIRMED'],
      [expired, 'EXPIRED', 'EXPIRED'],
    ]);
    expect(await readHistoryRows(world, expired)).toHaveLength(4);
  });

  it('counts remaining invitations and lists removed ones as changes of their groups', async () => {
    const leaver = await createUserWithEmail(world);
    const [row] = await world.sql<{ email: string }>('select email from account where id = $1', [leaver.userId]);
    const { groupId, owner, invite } = await createInvitingGroup(world, [leaver]);
    await changeMemberRole(world.deps, owner, { groupId, userId: leaver.userId, role: 'OWNER' });
    await inviteAddresses(world, leaver, groupId, [uniqueEmail(), uniqueEmail()]);
    await invite(uniqueEmail());
    await inviteAddresses(world, leaver, await createGroupWithMembers(world, leaver), [uniqueEmail()]);
    const inviting = await createInvitingGroup(world);
    await inviting.invite(row?.email ?? '');
    const { changingGroups, sentInvitations } = await previewDeletion(world, leaver, leaver.userId);
    expect(sentInvitations).toBe(2);
    expect(changingGroups).toMatchObject([
      { group: { id: groupId } },
      { group: { id: inviting.groupId, viewerIsInvitee: true, viewerMembership: null } },
    ]);
  });

  it('runs one statement per list and one for the counts, for any number of groups and calls', async () => {
    const [owner, leaver] = await createUsers(world, 2);
    for (let index = 0; index < 12; index += 1) await createGroupWithMembers(world, owner, [leaver]);
    const { userId } = leaver;
    const { result, statements } = await countStatements(() =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          Promise.all([
            listBlockingGroups(world.deps, leaver, { userId, first: 100 }),
            listChangingGroups(world.deps, leaver, { userId, first: 100 }),
            countDeletionEffects(world.deps, leaver, userId),
          ]),
        ),
      ),
    );
    expect([result.at(-1)?.[1].length, statements]).toEqual([12, 3]);
  });

  it('reads at most the requested number of groups and counts all', async () => {
    const [owner, guest] = await createUsers(world, 2);
    for (let index = 0; index < 5; index += 1) await createGroupWithMembers(world, owner, [guest]);
    const { userId } = owner;
    const read = jest.spyOn(world.deps.database, 'query');
    expect(await listBlockingGroups(world.deps, owner, { userId, first: 2 })).toHaveLength(2);
    expect(await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>))).toEqual([
      [expect.anything(), expect.anything()],
    ]);
    read.mockRestore();
    expect(await countDeletionEffects(world.deps, owner, userId)).toMatchObject({
      blockingGroups: 5,
      changingGroups: 0,
    });
    for (const first of [0, 1_001, 1.5])
      await expect(listBlockingGroups(world.deps, owner, { userId, first })).rejects.toEqual(
        errorWithReason('INVALID_INPUT'),
      );
  });

  it('rejects callers other than the user', async () => {
    const [someone, other] = await createUsers(world, 2);
    await expect(previewDeletion(world, ANONYMOUS, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(previewDeletion(world, other, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_INVALID'));
    await expect(previewDeletion(world, serviceActor(['groups:read']), someone.userId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });
});
