import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { cancelGroup, getGroup, updateMemberStatus, type ResponseStatus } from '../../../src/groups/index.js';
import { countStatements } from '../../support/database/count-statements.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupsFixture,
  createGroupWithMembers,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

describe('updateMemberStatus', () => {
  it('stores the response and updates the state', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    world.clock.advance(MINUTE_MS);
    const answered = await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect(answered).toMatchObject({
      member: { groupId, userId: guest.userId, status: 'ACCEPTED', respondedAt: world.clock.now(), revision: 2 },
      group: {
        id: groupId,
        state: 'CONFIRMED',
        stateChangedAt: world.clock.now(),
        acceptedCount: 2,
        revision: 3,
        viewerMembership: { status: 'ACCEPTED' },
      },
      changed: true,
      previousState: 'FORMING',
    });
    const { viewerMembership: _, compatibilityScore: __, ...plain } = answered.group;
    expect(await getGroup(world.deps, guest, groupId)).toMatchObject(plain);
    await expectGroupInvariants(world, groupId);
  });

  it('updates the state with every change of a response', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const steps: [ResponseStatus, string][] = [
      ['ACCEPTED', 'CONFIRMED'],
      ['DECLINED', 'FAILED'],
      ['ACCEPTED', 'CONFIRMED'],
      ['TENTATIVE', 'FORMING'],
      ['DECLINED', 'FAILED'],
      ['PENDING', 'FORMING'],
    ];
    for (const [status, state] of steps) {
      const { group, member, previousState } = await updateMemberStatus(world.deps, guest, {
        groupId,
        userId: guest.userId,
        status,
      });
      expect([member.status, group.state]).toEqual([status, state]);
      expect((await readHistoryRows(world, groupId)).at(-1)).toMatchObject({
        state_before: previousState,
        state_after: state,
        status,
      });
      await expectGroupInvariants(world, groupId);
    }
  });

  it('changes nothing when the member has this response, also after the deadline', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest], { respondBy: world.clock.in(MINUTE_MS) });
    const input = { groupId, userId: guest.userId, status: 'ACCEPTED' } as const;
    const { member } = await updateMemberStatus(world.deps, guest, input);
    world.clock.advance(1_000);
    const again = await updateMemberStatus(world.deps, guest, input);
    expect(again).toMatchObject({ changed: false, previousState: 'CONFIRMED', group: { revision: 3 } });
    expect(again.member).toEqual(member);
    world.clock.advance(MINUTE_MS);
    expect(await updateMemberStatus(world.deps, guest, input)).toMatchObject({ changed: false, member });
    await cancelGroup(world.deps, owner, { groupId });
    expect(await updateMemberStatus(world.deps, guest, input)).toMatchObject({ changed: false, member });
    expect((await readHistoryRows(world, groupId)).map(({ cause }) => cause)).toEqual([
      'CREATED',
      'INVITED',
      'RESPONSE',
      'DEADLINE',
      'CANCELLED',
    ]);
  });

  it('keeps respondedAt when the response does not change', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const { member } = await updateMemberStatus(world.deps, guest, {
      groupId,
      userId: guest.userId,
      status: 'PENDING',
    });
    expect(member.respondedAt).toBeNull();
  });

  it('takes seven round trips to the database, including begin and commit', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const { statements } = await countStatements(() =>
      updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
    );
    expect(statements).toBe(7);
  });

  it.each(['PENDING', 'ACCEPTED', 'TENTATIVE'] as const)(
    'takes no %s once the group is cancelled, but still takes DECLINED',
    async (status) => {
      const [owner, guest] = await createUsers(world, 2);
      const groupId = await createGroupWithMembers(world, owner, [guest]);
      const other = status === 'PENDING' ? 'ACCEPTED' : 'PENDING';
      await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: other });
      await cancelGroup(world.deps, owner, { groupId });
      const answer = (to: ResponseStatus) =>
        updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: to });
      await expect(answer(status)).rejects.toEqual(errorWithReason('RESPONSES_CLOSED'));
      expect(await answer('DECLINED')).toMatchObject({
        changed: true,
        previousState: 'CANCELLED',
        group: { state: 'CANCELLED', counts: { declined: 1 } },
      });
      await expectGroupInvariants(world, groupId);
    },
  );
});

describe('authorization of updateMemberStatus', () => {
  it('allows the member, administrators, and API clients with responses:write', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const root = await createAdmin(world);
    const input = { groupId, userId: guest.userId };
    expect(
      (await updateMemberStatus(world.deps, root, { ...input, status: 'TENTATIVE' })).group.viewerMembership,
    ).toBeNull();
    await updateMemberStatus(world.deps, serviceActor(['responses:write']), { ...input, status: 'DECLINED' });
    await updateMemberStatus(world.deps, serviceActor(['responses:write'], [groupId]), {
      ...input,
      status: 'ACCEPTED',
    });
    const history = await readHistoryRows(world, groupId);
    expect(
      history.slice(-3).map(({ actor_id: actor, api_key: key, subject_id: subject }) => [actor, key, subject]),
    ).toEqual([
      [root.userId, null, guest.userId],
      [null, 'matchmaker', guest.userId],
      [null, 'matchmaker', guest.userId],
    ]);
    await expectGroupInvariants(world, groupId);
  });

  it('rejects other members, also owners', async () => {
    const [owner, guest, other] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest, other]);
    for (const actor of [owner, other]) {
      await expect(
        updateMemberStatus(world.deps, actor, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
      ).rejects.toEqual(errorWithReason('NOT_YOUR_MEMBERSHIP'));
    }
    expect((await expectGroupInvariants(world, groupId)).acceptedCount).toBe(1);
  });

  it('rejects API clients without scope or limited to other groups', async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    const input = { groupId, userId: guest.userId, status: 'ACCEPTED' } as const;
    await expect(updateMemberStatus(world.deps, serviceActor(['groups:read', 'scores:write']), input)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    await expect(updateMemberStatus(world.deps, serviceActor(['responses:write'], [newId()]), input)).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });
});

describe('checks of updateMemberStatus', () => {
  it('run in the order caller, group, member, permission, revision, equality, deadline', async () => {
    const [owner, guest, stranger] = await createUsers(world, 3);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await cancelGroup(world.deps, owner, { groupId });
    const wrong = { groupId, userId: guest.userId, status: 'ACCEPTED', expectedRevision: 99 } as const;
    await expect(updateMemberStatus(world.deps, ANONYMOUS, { ...wrong, groupId: newId() })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(updateMemberStatus(world.deps, guest, { ...wrong, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(updateMemberStatus(world.deps, stranger, { ...wrong, userId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(updateMemberStatus(world.deps, owner, { ...wrong, userId: stranger.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(updateMemberStatus(world.deps, serviceActor([]), { ...wrong, userId: newId() })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(updateMemberStatus(world.deps, owner, wrong)).rejects.toEqual(errorWithReason('NOT_YOUR_MEMBERSHIP'));
    await expect(updateMemberStatus(world.deps, guest, { ...wrong, status: 'PENDING' })).rejects.toEqual(
      errorWithReason('REVISION_CHANGED'),
    );
    expect(
      await updateMemberStatus(world.deps, guest, { ...wrong, status: 'PENDING', expectedRevision: 1 }),
    ).toMatchObject({ changed: false });
    await expect(updateMemberStatus(world.deps, guest, { ...wrong, expectedRevision: 1 })).rejects.toEqual(
      errorWithReason('RESPONSES_CLOSED'),
    );
    expect(await readHistoryRows(world, groupId)).toHaveLength(3);
  });

  it("compare the member's revision, which changes only with the member's responses", async () => {
    const [owner, guest] = await createUsers(world, 2);
    const groupId = await createGroupWithMembers(world, owner, [guest]);
    await updateMemberStatus(world.deps, owner, { groupId, userId: owner.userId, status: 'TENTATIVE' });
    const input = { groupId, userId: guest.userId } as const;
    expect(
      (await updateMemberStatus(world.deps, guest, { ...input, status: 'ACCEPTED', expectedRevision: 1 })).member
        .revision,
    ).toBe(2);
    await expect(
      updateMemberStatus(world.deps, guest, { ...input, status: 'DECLINED', expectedRevision: 1 }),
    ).rejects.toEqual(errorWithReason('REVISION_CHANGED'));
    expect(
      (await updateMemberStatus(world.deps, guest, { ...input, status: 'DECLINED', expectedRevision: null })).member
        .revision,
    ).toBe(3);
  });
});
