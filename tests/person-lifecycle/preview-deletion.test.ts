import { describe, expect, it, jest } from '@jest/globals';
import { cancelGroup, changeMemberRole, updateMemberStatus } from '../../src/groups/index.js';
import { countDeletionEffects, listBlockingGroups, listChangingGroups } from '../../src/person-lifecycle/index.js';
import { countStatements } from '../support/database/count-statements.js';
import { errorWithReason } from '../support/error-matchers.js';
import { previewDeletion } from '../support/groups/deletion-fixture.js';
import { readHistoryRows } from '../support/groups/group-invariants.js';
import { ANONYMOUS, createGroupWithMembers, createUsers, serviceActor } from '../support/groups/groups-fixture.js';
import {
  createInvitingGroup,
  createUserWithEmail,
  inviteAddresses,
  uniqueEmail,
} from '../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('deletion preview', () => {
  it('lists blocking groups: not cancelled, without another owner, with other members', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const blocking = await createGroupWithMembers(fixture, owner, [guest]);
    const shared = await createGroupWithMembers(fixture, owner, [guest]);
    await changeMemberRole(fixture.deps, owner, { groupId: shared, userId: guest.userId, role: 'OWNER' });
    const cancelled = await createGroupWithMembers(fixture, owner, [guest]);
    await cancelGroup(fixture.deps, owner, { groupId: cancelled });
    await createGroupWithMembers(fixture, owner);
    const { blockingGroups, changingGroups, sentInvitations } = await previewDeletion(fixture, owner, owner.userId);
    expect(blockingGroups).toMatchObject([{ id: blocking, memberCount: 2, viewerMembership: { role: 'OWNER' } }]);
    expect(changingGroups.map(({ group, before, after }) => [group.id, before, after])).toEqual([
      [shared, 'FORMING', 'FORMING'],
      [cancelled, 'CANCELLED', 'CANCELLED'],
    ]);
    expect(sentInvitations).toBe(0);
  });

  it('returns the states after the deletion', async () => {
    const [owner, leaver, other] = await createUsers(fixture, 3);
    const confirmed = await createGroupWithMembers(fixture, owner, [leaver]);
    await updateMemberStatus(fixture.deps, leaver, { groupId: confirmed, userId: leaver.userId, status: 'ACCEPTED' });
    const failed = await createGroupWithMembers(fixture, owner, [leaver, other]);
    await updateMemberStatus(fixture.deps, leaver, { groupId: failed, userId: leaver.userId, status: 'DECLINED' });
    await updateMemberStatus(fixture.deps, other, { groupId: failed, userId: other.userId, status: 'ACCEPTED' });
    const expired = await createGroupWithMembers(fixture, owner, [leaver, other], { respondBy: fixture.clock.in(1) });
    await updateMemberStatus(fixture.deps, other, { groupId: expired, userId: other.userId, status: 'ACCEPTED' });
    fixture.clock.advance(1);
    const { changingGroups } = await previewDeletion(fixture, leaver, leaver.userId);
    expect(changingGroups.map(({ group, before, after }) => [group.id, before, after])).toEqual([
      [confirmed, 'CONFIRMED', 'FORMING'],
      [failed, 'FAILED', 'CONFIRMED'],
      [expired, 'EXPIRED', 'EXPIRED'],
    ]);
    expect(await readHistoryRows(fixture, expired)).toHaveLength(4);
  });

  it('counts remaining invitations and lists removed ones as changes of their groups', async () => {
    const leaver = await createUserWithEmail(fixture);
    const [row] = await fixture.sql<{ email: string }>('select email from account where id = $1', [leaver.userId]);
    const { groupId, owner, invite } = await createInvitingGroup(fixture, [leaver]);
    await changeMemberRole(fixture.deps, owner, { groupId, userId: leaver.userId, role: 'OWNER' });
    await inviteAddresses(fixture, leaver, groupId, [uniqueEmail(), uniqueEmail()]);
    await invite(uniqueEmail());
    await inviteAddresses(fixture, leaver, await createGroupWithMembers(fixture, leaver), [uniqueEmail()]);
    const inviting = await createInvitingGroup(fixture);
    await inviting.invite(row?.email ?? '');
    const { changingGroups, sentInvitations } = await previewDeletion(fixture, leaver, leaver.userId);
    expect(sentInvitations).toBe(2);
    expect(changingGroups).toMatchObject([
      { group: { id: groupId } },
      { group: { id: inviting.groupId, viewerIsInvitee: true, viewerMembership: null } },
    ]);
  });

  it('runs one statement per list and one for the counts, for any number of groups and calls', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    for (let index = 0; index < 12; index += 1) await createGroupWithMembers(fixture, owner, [leaver]);
    const { userId } = leaver;
    const { result, statements } = await countStatements(() =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          Promise.all([
            listBlockingGroups(fixture.deps, leaver, { userId, first: 100 }),
            listChangingGroups(fixture.deps, leaver, { userId, first: 100 }),
            countDeletionEffects(fixture.deps, leaver, userId),
          ]),
        ),
      ),
    );
    expect([result.at(-1)?.[1].length, statements]).toEqual([12, 3]);
  });

  it('reads at most the requested number of groups and counts all', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    for (let index = 0; index < 5; index += 1) await createGroupWithMembers(fixture, owner, [guest]);
    const { userId } = owner;
    const read = jest.spyOn(fixture.deps.database, 'query');
    expect(await listBlockingGroups(fixture.deps, owner, { userId, first: 2 })).toHaveLength(2);
    expect(await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>))).toEqual([
      [expect.anything(), expect.anything()],
    ]);
    read.mockRestore();
    expect(await countDeletionEffects(fixture.deps, owner, userId)).toMatchObject({
      blockingGroups: 5,
      changingGroups: 0,
    });
    for (const first of [0, 1_001, 1.5])
      await expect(listBlockingGroups(fixture.deps, owner, { userId, first })).rejects.toEqual(
        errorWithReason('INVALID_INPUT'),
      );
  });

  it('rejects callers other than the user', async () => {
    const [someone, other] = await createUsers(fixture, 2);
    await expect(previewDeletion(fixture, ANONYMOUS, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(previewDeletion(fixture, other, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_INVALID'));
    await expect(previewDeletion(fixture, serviceActor(['groups:read']), someone.userId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });
});
