import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, getGroup, inviteToGroup, updateMemberStatus } from '../../../src/groups/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('inviteToGroup', () => {
  it('creates PENDING members', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const { group, results } = await inviteToGroup(fixture.deps, owner, {
      groupId,
      invitees: [{ userId: guest.userId }],
    });
    expect(results).toEqual([
      {
        outcome: 'INVITED',
        invitation: null,
        member: expect.objectContaining({
          groupId,
          userId: guest.userId,
          role: 'MEMBER',
          status: 'PENDING',
          invitedById: owner.userId,
          invitedAt: fixture.clock.now(),
          respondedAt: null,
          revision: 1,
          user: expect.objectContaining({ id: guest.userId }),
        }),
      },
    ]);
    expect(group).toMatchObject({ memberCount: 2, acceptedCount: 1, counts: { pending: 1 }, revision: 2 });
    expect((await getGroup(fixture.deps, guest, groupId)).viewerMembership).toMatchObject({ status: 'PENDING' });
    await expectGroupInvariants(fixture, groupId);
  });

  it('returns one outcome per invitee, in their order', async () => {
    const [owner, guest, present] = await createUsers(fixture, 3);
    const dora = await createUser(fixture, 'Dora.Müller');
    const groupId = await createGroupWithMembers(fixture, owner, [present]);
    const { group, results } = await inviteToGroup(fixture.deps, owner, {
      groupId,
      invitees: [
        { userId: newId() },
        { username: 'DORA.MÜLLER' },
        { userId: present.userId },
        { username: 'nobody-by-this-name' },
        { userId: guest.userId, username: null },
        { userId: dora.userId },
        { username: 'a\0b' },
        { username: '\ud800' },
        { userId: owner.userId },
      ],
    });
    expect(results.map(({ outcome, member }) => [outcome, member?.userId])).toEqual([
      ['USER_NOT_FOUND', undefined],
      ['INVITED', dora.userId],
      ['ALREADY_MEMBER', present.userId],
      ['USER_NOT_FOUND', undefined],
      ['INVITED', guest.userId],
      ['ALREADY_MEMBER', dora.userId],
      ['USER_NOT_FOUND', undefined],
      ['USER_NOT_FOUND', undefined],
      ['ALREADY_MEMBER', owner.userId],
    ]);
    expect(results[1]?.member?.user).toEqual({
      id: dora.userId,
      username: 'Dora.Müller',
      displayName: null,
      createdAt: fixture.clock.now(),
    });
    expect(group.revision).toBe(4);
    await expectGroupInvariants(fixture, groupId);
  });

  it('keeps the response of an existing member', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    const { results } = await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] });
    expect(results).toEqual([
      {
        outcome: 'ALREADY_MEMBER',
        member: expect.objectContaining({ status: 'DECLINED', revision: 2 }),
        invitation: null,
      },
    ]);
  });

  it('records one revision per new member, in order', async () => {
    const [owner, ...guests] = await createUsers(fixture, 4);
    const groupId = await createGroupWithMembers(fixture, owner, guests);
    const history = await readHistoryRows(fixture, groupId);
    expect(history.map(({ cause, subject_id: subject, pending_count: pending }) => [cause, subject, pending])).toEqual([
      ['CREATED', owner.userId, 0],
      ...guests.map(({ userId }, index) => ['INVITED', userId, index + 1]),
    ]);
  });

  it('returns a CONFIRMED group without a quorum to FORMING', async () => {
    const [owner, first, second] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [first]);
    await updateMemberStatus(fixture.deps, first, { groupId, userId: first.userId, status: 'ACCEPTED' });
    const { group } = await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: second.userId }] });
    expect(group).toMatchObject({ state: 'FORMING', requiredCount: 3 });
    await expectGroupInvariants(fixture, groupId);
  });

  it('invites 500 users with as many statements as 5, apart from multi-row inserts', async () => {
    const [owner, ...guests] = await createUsers(fixture, 506);
    const groupId = await createGroupWithMembers(fixture, owner);
    const inviteesOf = (some: typeof guests): { userId: string }[] => some.map(({ userId }) => ({ userId }));
    const few = await countStatements(() =>
      inviteToGroup(fixture.deps, owner, { groupId, invitees: inviteesOf(guests.slice(0, 5)) }),
    );
    const many = await countStatements(() =>
      inviteToGroup(fixture.deps, owner, { groupId, invitees: inviteesOf(guests.slice(5)) }),
    );
    expect(few.statements).toBe(9);
    expect(many.statements).toBe(11);
    expect(many.result.group).toMatchObject({ memberCount: 506, revision: 506 });
    await expectGroupInvariants(fixture, groupId);
  });

  it('allows an administrator to invite, including the own account', async () => {
    const root = await createAdmin(fixture);
    const groupId = await createGroupWithMembers(fixture, await createUser(fixture));
    const { group } = await inviteToGroup(fixture.deps, root, { groupId, invitees: [{ userId: root.userId }] });
    expect(group.viewerMembership).toMatchObject({ userId: root.userId, role: 'MEMBER', invitedById: root.userId });
  });

  it('rejects no or too many invitees, and invitees not named in exactly one way', async () => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const invite = (invitees: Parameters<typeof inviteToGroup>[2]['invitees']): Promise<unknown> =>
      inviteToGroup(fixture.deps, owner, { groupId, invitees });
    await expect(invite([])).rejects.toEqual(errorWithFields('invitees'));
    await expect(invite(Array.from({ length: 501 }, () => ({ userId: newId() })))).rejects.toEqual(
      errorWithFields('invitees'),
    );
    await expect(
      invite([{}, { username: 'ada' }, { userId: newId(), username: 'ada' }, { userId: null, username: null }]),
    ).rejects.toEqual(errorWithFields('invitees.0', 'invitees.2', 'invitees.3'));
  });

  it('checks authentication, input, group and permission in this order', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const good = { groupId, invitees: [{ userId: stranger.userId }] };
    const bad = { groupId, invitees: [] };
    await expect(inviteToGroup(fixture.deps, ANONYMOUS, bad)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(inviteToGroup(fixture.deps, stranger, bad)).rejects.toEqual(errorWithFields('invitees'));
    await expect(inviteToGroup(fixture.deps, stranger, good)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(inviteToGroup(fixture.deps, owner, { ...good, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(inviteToGroup(fixture.deps, guest, good)).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(inviteToGroup(fixture.deps, serviceActor(['groups:read'], [newId()]), good)).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(inviteToGroup(fixture.deps, serviceActor(['groups:read']), good)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    expect((await getGroup(fixture.deps, owner, groupId)).memberCount).toBe(2);
  });

  it('throws GROUP_CANCELLED unless nothing would change', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await cancelGroup(fixture.deps, owner, { groupId });
    await expect(inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: other.userId }] })).rejects.toEqual(
      errorWithReason('GROUP_CANCELLED'),
    );
    const { results } = await inviteToGroup(fixture.deps, owner, {
      groupId,
      invitees: [{ userId: guest.userId }, { userId: newId() }],
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(['ALREADY_MEMBER', 'USER_NOT_FOUND']);
    await expectGroupInvariants(fixture, groupId);
  });

  it('throws RESPONSES_CLOSED after the deadline and writes nothing', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [], { respondBy: fixture.clock.in(1_000) });
    fixture.clock.advance(1_000);
    await expect(inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] })).rejects.toEqual(
      errorWithReason('RESPONSES_CLOSED'),
    );
    expect(await readHistoryRows(fixture, groupId)).toHaveLength(1);
  });
});
