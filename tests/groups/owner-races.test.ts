import { describe, expect, it } from '@jest/globals';
import type { UserActor } from '../../src/accounts/index.js';
import { DomainError } from '../../src/errors/index.js';
import {
  changeMemberRole,
  createGroup,
  inviteToGroup,
  leaveGroup,
  removeMember,
  updateMemberStatus,
} from '../../src/groups/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import { expectGroupInvariants } from '../support/groups/group-invariants.js';
import { createGroupWithMembers, createUsers } from '../support/groups/groups-fixture.js';
import { useDeletionFixture } from '../support/groups/use-groups-fixture.js';

const { fixture, deletion } = useDeletionFixture();

const ROUNDS = 10;

/** A group of several owners, with some members. */
async function coOwned(
  owners: readonly [UserActor, ...UserActor[]],
  members: readonly UserActor[] = [],
): Promise<string> {
  const [first, ...others] = owners;
  const groupId = await createGroupWithMembers(fixture, first, [...others, ...members]);
  for (const { userId } of others) await changeMemberRole(fixture.deps, first, { groupId, userId, role: 'OWNER' });
  return groupId;
}

async function ownersOf(groupId: string): Promise<string[]> {
  const rows = await fixture.sql<{ user_id: string }>(
    `select user_id from member where group_id = $1 and role = 'OWNER'`,
    [groupId],
  );
  return rows.map(({ user_id: id }) => id);
}

/** What was refused, by the rules alone. */
function refusals(responses: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return responses.flatMap((response) => (response.status === 'rejected' ? [response.reason as unknown] : []));
}

describe('concurrent changes of owners', () => {
  it('leave one owner when two demote each other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = await createUsers(fixture, 2);
      const groupId = await coOwned([one, other]);
      const demote = (actor: UserActor, { userId }: UserActor) =>
        changeMemberRole(fixture.deps, actor, { groupId, userId, role: 'MEMBER' });
      const refused = refusals(await Promise.allSettled([demote(one, other), demote(other, one)]));
      expect(refused).toEqual([errorWithReason('OWNER_REQUIRED')]);
      expect(await ownersOf(groupId)).toHaveLength(1);
      await expectGroupInvariants(fixture, groupId);
    }
  });

  it('leave one owner when they step down, leave or remove each other', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const owners = await createUsers(fixture, 4);
      const [one, two, three, four] = owners as [UserActor, UserActor, UserActor, UserActor];
      const groupId = await coOwned(owners);
      const refused = refusals(
        await Promise.allSettled([
          leaveGroup(fixture.deps, one, { groupId }),
          changeMemberRole(fixture.deps, two, { groupId, userId: two.userId, role: 'MEMBER' }),
          removeMember(fixture.deps, four, { groupId, userId: three.userId }),
          leaveGroup(fixture.deps, four, { groupId }),
        ]),
      );
      for (const error of refused) expect(error).toBeInstanceOf(DomainError);
      expect((await ownersOf(groupId)).length).toBeGreaterThan(0);
      await expectGroupInvariants(fixture, groupId);
    }
  });

  it('keep the last owner when all leave', async () => {
    const owners = await createUsers(fixture, 8);
    const groupId = await coOwned(owners);
    const refused = refusals(
      await Promise.allSettled(owners.map((owner) => leaveGroup(fixture.deps, owner, { groupId }))),
    );
    expect(refused).toEqual([errorWithReason('LAST_OWNER')]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 1 });
  });
});

describe('concurrent deletion of an account', () => {
  it('leaves no group without an owner when owners are deleted concurrently', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other, guest] = await createUsers(fixture, 3);
      const groupId = await coOwned([one, other], [guest]);
      const refused = refusals(await Promise.allSettled([deletion.delete(one), deletion.delete(other)]));
      expect(refused).toEqual([errorWithReason('SOLE_OWNER_OF_GROUPS')]);
      expect(await ownersOf(groupId)).toHaveLength(1);
      await expectGroupInvariants(fixture, groupId);
    }
  });

  it('keeps counts exact while the account and others respond', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [owner, leaver, other] = await createUsers(fixture, 3);
      const groupIds = [
        await createGroupWithMembers(fixture, owner, [leaver, other]),
        await createGroupWithMembers(fixture, other, [leaver, owner]),
        await createGroupWithMembers(fixture, owner, [leaver]),
      ];
      const refused = refusals(
        await Promise.allSettled([
          ...groupIds.flatMap((groupId) =>
            (['ACCEPTED', 'DECLINED'] as const).map((status) =>
              updateMemberStatus(fixture.deps, leaver, { groupId, userId: leaver.userId, status }),
            ),
          ),
          deletion.delete(leaver),
          ...groupIds.slice(0, 2).map((groupId) =>
            updateMemberStatus(fixture.deps, groupId === groupIds[1] ? owner : other, {
              groupId,
              userId: (groupId === groupIds[1] ? owner : other).userId,
              status: 'ACCEPTED',
            }),
          ),
          removeMember(fixture.deps, owner, { groupId: groupIds[2]!, userId: leaver.userId }),
        ]),
      );
      for (const error of refused)
        expect([errorWithReason('GROUP_NOT_FOUND'), errorWithReason('MEMBER_NOT_FOUND')]).toContainEqual(error);
      expect(await fixture.sql('select 1 from account where id = $1', [leaver.userId])).toEqual([]);
      for (const groupId of groupIds) await expectGroupInvariants(fixture, groupId);
    }
  });

  it('removes all memberships while it is invited and creates groups', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [owner, leaver] = await createUsers(fixture, 2);
      const groupIds = await Promise.all(Array.from({ length: 4 }, () => createGroupWithMembers(fixture, owner)));
      const inviting = groupIds.map((groupId) =>
        inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: leaver.userId }] }),
      );
      const creating = Array.from({ length: 3 }, () => createGroup(fixture.deps, leaver, { name: 'Choir' }));
      const responses = await Promise.allSettled([deletion.delete(leaver), ...creating, ...inviting]);
      for (const error of refusals(responses)) expect(error).toEqual(errorWithReason('TOKEN_REVOKED'));
      expect(responses[0].status).toBe('fulfilled');
      expect(await fixture.sql('select 1 from member where user_id = $1', [leaver.userId])).toEqual([]);
      for (const groupId of groupIds) await expectGroupInvariants(fixture, groupId);
    }
    expect(
      await fixture.sql('select 1 from groups where not exists (select from member where group_id = groups.id)'),
    ).toEqual([]);
  });

  it('succeeds once for two concurrent calls', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [leaver]);
    const refused = refusals(await Promise.allSettled(Array.from({ length: 4 }, () => deletion.delete(leaver))));
    expect(refused).toEqual(Array(3).fill(errorWithReason('TOKEN_REVOKED')));
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 1, revision: 3 });
  });

  it('keeps groups consistent when many members are deleted', async () => {
    const [owner, ...guests] = await createUsers(fixture, 9);
    const groupIds = await Promise.all(Array.from({ length: 5 }, () => createGroupWithMembers(fixture, owner, guests)));
    expect(refusals(await Promise.allSettled(guests.map((guest) => deletion.delete(guest))))).toEqual([]);
    for (const groupId of groupIds)
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 1, revision: 17 });
    await deletion.delete(owner);
    expect(await fixture.sql('select 1 from groups where id = any($1)', [groupIds])).toEqual([]);
  });
});
