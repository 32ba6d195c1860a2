import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, changeMemberRole, inviteToGroup, updateMemberStatus } from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUsers,
  serviceActor,
} from '../../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('changeMemberRole', () => {
  it('makes a member an owner in one revision', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await expect(inviteToGroup(fixture.deps, guest, { groupId, invitees: [{ userId: other.userId }] })).rejects.toEqual(
      errorWithReason('OWNER_REQUIRED'),
    );
    const { member } = await changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    expect(member).toMatchObject({ userId: guest.userId, role: 'OWNER', status: 'PENDING', revision: 2 });
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      revision: 3,
      cause: 'ROLE_CHANGED',
      actor_id: owner.userId,
      subject_id: guest.userId,
      status: 'PENDING',
      state_before: 'FORMING',
      state_after: 'FORMING',
    });
    expect(
      (await inviteToGroup(fixture.deps, guest, { groupId, invitees: [{ userId: other.userId }] })).results[0]?.outcome,
    ).toBe('INVITED');
    await expectGroupInvariants(fixture, groupId);
  });

  it('does not make scores stale', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const [before] = await fixture.sql('select answers_revision from groups where id = $1', [groupId]);
    await changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    expect(await fixture.sql('select answers_revision from groups where id = $1', [groupId])).toEqual([before]);
  });

  it('lets an owner become a member when there is another owner', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await expect(
      changeMemberRole(fixture.deps, owner, { groupId, userId: owner.userId, role: 'MEMBER' }),
    ).rejects.toEqual(errorWithReason('LAST_OWNER'));
    await changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    const { member } = await changeMemberRole(fixture.deps, owner, { groupId, userId: owner.userId, role: 'MEMBER' });
    expect(member.role).toBe('MEMBER');
    await expect(
      changeMemberRole(fixture.deps, owner, { groupId, userId: owner.userId, role: 'OWNER' }),
    ).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(
      changeMemberRole(fixture.deps, guest, { groupId, userId: guest.userId, role: 'MEMBER' }),
    ).rejects.toEqual(errorWithReason('LAST_OWNER'));
    await expectGroupInvariants(fixture, groupId);
  });

  it('changes nothing when the member has the role, also in a cancelled group', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await cancelGroup(fixture.deps, owner, { groupId });
    expect(
      (await changeMemberRole(fixture.deps, owner, { groupId, userId: owner.userId, role: 'OWNER' })).member.revision,
    ).toBe(1);
    expect(await readHistoryRows(fixture, groupId)).toHaveLength(3);
    await expect(
      changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' }),
    ).rejects.toEqual(errorWithReason('GROUP_CANCELLED'));
    await expect(
      changeMemberRole(fixture.deps, owner, { groupId, userId: owner.userId, role: 'MEMBER' }),
    ).rejects.toEqual(errorWithReason('GROUP_CANCELLED'));
  });

  it('changes a role after a deadline, which it records first', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest], { respondBy: fixture.clock.in(1_000) });
    fixture.clock.advance(2_000);
    await changeMemberRole(fixture.deps, owner, { groupId, userId: guest.userId, role: 'OWNER' });
    expect((await readHistoryRows(fixture, groupId)).map(({ cause }) => cause)).toEqual([
      'CREATED',
      'INVITED',
      'DEADLINE',
      'ROLE_CHANGED',
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it('allows only owners and administrators, and throws MEMBER_NOT_FOUND before OWNER_REQUIRED', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const promotion = { groupId, userId: guest.userId, role: 'OWNER' } as const;
    await expect(changeMemberRole(fixture.deps, ANONYMOUS, promotion)).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(changeMemberRole(fixture.deps, stranger, promotion)).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(changeMemberRole(fixture.deps, owner, { ...promotion, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(changeMemberRole(fixture.deps, guest, { ...promotion, userId: stranger.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(changeMemberRole(fixture.deps, guest, promotion)).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(
      changeMemberRole(fixture.deps, serviceActor(['responses:write', 'groups:read']), promotion),
    ).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    expect((await changeMemberRole(fixture.deps, await createAdmin(fixture), promotion)).member.role).toBe('OWNER');
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    expect(
      (await changeMemberRole(fixture.deps, guest, { ...promotion, userId: owner.userId, role: 'MEMBER' })).member.role,
    ).toBe('MEMBER');
    await expectGroupInvariants(fixture, groupId);
  });
});
