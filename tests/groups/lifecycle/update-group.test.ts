import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import {
  cancelGroup,
  getGroup,
  updateGroup,
  updateMemberStatus,
  type UpdateGroupParams,
} from '../../../src/groups/index.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
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

async function causes(groupId: string): Promise<unknown[]> {
  return (await readHistoryRows(fixture, groupId)).map(({ cause }) => cause);
}

describe('updateGroup', () => {
  it('changes given fields, keeps absent ones and clears null ones', async () => {
    const [owner] = await createUsers(fixture, 2);
    const respondBy = fixture.clock.in(MINUTE_MS);
    const groupId = await createGroupWithMembers(fixture, owner, [], {
      name: 'Choir',
      description: 'Mondays',
      quorum: 3,
      respondBy,
    });
    const update = async (input: Omit<UpdateGroupParams, 'groupId'>): Promise<unknown> =>
      (await updateGroup(fixture.deps, owner, { ...input, groupId })).group;
    expect(await update({ name: 'Band' })).toMatchObject({
      name: 'Band',
      description: 'Mondays',
      quorum: 3,
      respondBy,
      revision: 2,
    });
    expect(await update({ description: null })).toMatchObject({
      name: 'Band',
      description: null,
      quorum: 3,
      respondBy,
      revision: 3,
    });
    expect(await update({ quorum: null, respondBy: null })).toMatchObject({
      name: 'Band',
      quorum: null,
      respondBy: null,
      revision: 4,
    });
    expect(await causes(groupId)).toEqual(['CREATED', 'RENAMED', 'RENAMED', 'RULE_CHANGED']);
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({
      name: 'Band',
      description: null,
      quorum: null,
      respondBy: null,
      revision: 4,
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('records one revision when name and rule change together', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const { group } = await updateGroup(fixture.deps, owner, { groupId, name: 'Duo', quorum: 1 });
    expect(group).toMatchObject({ name: 'Duo', quorum: 1, state: 'CONFIRMED', revision: 2 });
    expect(await causes(groupId)).toEqual(['CREATED', 'RULE_CHANGED']);
  });

  it('writes nothing when no value changes', async () => {
    const [owner] = await createUsers(fixture, 2);
    const respondBy = fixture.clock.in(MINUTE_MS);
    const groupId = await createGroupWithMembers(fixture, owner, [], { name: 'Cafe\u0301', quorum: 2, respondBy });
    await updateGroup(fixture.deps, owner, { groupId });
    const { group } = await updateGroup(fixture.deps, owner, {
      groupId,
      name: 'Caf\u00e9',
      description: null,
      quorum: 2,
      respondBy: new Date(respondBy),
    });
    expect(group.revision).toBe(1);
    expect(await causes(groupId)).toEqual(['CREATED']);
  });

  it('updates the state when the quorum changes', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'DECLINED' });
    for (const [quorum, state] of [
      [1, 'CONFIRMED'],
      [2, 'FORMING'],
      [3, 'FAILED'],
      [4, 'FORMING'],
      [null, 'FAILED'],
    ] as const) {
      expect((await updateGroup(fixture.deps, owner, { groupId, quorum })).group.state).toBe(state);
      await expectGroupInvariants(fixture, groupId);
    }
  });

  it('reports all invalid fields in one error, including a null name', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const input = { groupId, name: null, description: '\0', quorum: -1, respondBy: fixture.clock.now() };
    await expect(updateGroup(fixture.deps, owner, input)).rejects.toEqual(
      errorWithFields('name', 'description', 'quorum', 'respondBy'),
    );
  });

  it('allows only owners and administrators', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await expect(updateGroup(fixture.deps, guest, { groupId, name: 'Mine' })).rejects.toEqual(
      errorWithReason('OWNER_REQUIRED'),
    );
    await expect(
      updateGroup(fixture.deps, serviceActor(['groups:read', 'responses:write', 'scores:write']), {
        groupId,
        name: 'Mine',
      }),
    ).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    expect((await updateGroup(fixture.deps, await createAdmin(fixture), { groupId, name: 'Ours' })).group.name).toBe(
      'Ours',
    );
  });

  it('checks caller, input, group, permission, revision, equality and cancellation in this order', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await cancelGroup(fixture.deps, owner, { groupId });
    const wrong = { groupId, name: 'Choir', expectedRevision: 99 };
    await expect(updateGroup(fixture.deps, ANONYMOUS, { ...wrong, name: '' })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(updateGroup(fixture.deps, stranger, { ...wrong, name: '' })).rejects.toEqual(errorWithFields('name'));
    await expect(updateGroup(fixture.deps, stranger, wrong)).rejects.toEqual(errorWithReason('GROUP_NOT_FOUND'));
    await expect(updateGroup(fixture.deps, owner, { ...wrong, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(updateGroup(fixture.deps, guest, wrong)).rejects.toEqual(errorWithReason('OWNER_REQUIRED'));
    await expect(updateGroup(fixture.deps, owner, { ...wrong, name: 'Supper club' })).rejects.toEqual(
      errorWithReason('REVISION_CHANGED'),
    );
    expect(
      (await updateGroup(fixture.deps, owner, { groupId, name: 'Supper club', expectedRevision: 3 })).group.revision,
    ).toBe(3);
    await expect(updateGroup(fixture.deps, owner, { ...wrong, expectedRevision: 3 })).rejects.toEqual(
      errorWithReason('GROUP_CANCELLED'),
    );
    expect(await causes(groupId)).toEqual(['CREATED', 'INVITED', 'CANCELLED']);
  });

  it('accepts one of two concurrent updates with the same expected revision', async () => {
    const [owner] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    const names = ['Choir', 'Band'];
    const responses = await Promise.allSettled(
      names.map((name) => updateGroup(fixture.deps, owner, { groupId, name, expectedRevision: 1 })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(responses.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: errorWithReason('REVISION_CHANGED'),
    });
    await expectGroupInvariants(fixture, groupId);
  });
});
