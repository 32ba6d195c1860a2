import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import { cancelGroup, getGroup, updateMemberStatus, type ResponseStatus } from '../../../src/groups/index.js';
import { countStatements } from '../../support/database/count-statements.js';
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

describe('updateMemberStatus', () => {
  it('stores the response and updates the state', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    fixture.clock.advance(MINUTE_MS);
    const answered = await updateMemberStatus(fixture.deps, guest, {
      groupId,
      userId: guest.userId,
      status: 'ACCEPTED',
    });
    expect(answered).toMatchObject({
      member: { groupId, userId: guest.userId, status: 'ACCEPTED', respondedAt: fixture.clock.now(), revision: 2 },
      group: {
        id: groupId,
        state: 'CONFIRMED',
        stateChangedAt: fixture.clock.now(),
        acceptedCount: 2,
        revision: 3,
        viewerMembership: { status: 'ACCEPTED' },
      },
      changed: true,
      previousState: 'FORMING',
    });
    const { viewerMembership: _, compatibilityScore: __, membersVersion, ...plain } = answered.group;
    expect(membersVersion).toBeNull();
    expect(await getGroup(fixture.deps, guest, groupId)).toMatchObject(plain);
    await expectGroupInvariants(fixture, groupId);
  });

  it('updates the state with every change of a response', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const steps: [ResponseStatus, string][] = [
      ['ACCEPTED', 'CONFIRMED'],
      ['DECLINED', 'FAILED'],
      ['ACCEPTED', 'CONFIRMED'],
      ['TENTATIVE', 'FORMING'],
      ['DECLINED', 'FAILED'],
      ['PENDING', 'FORMING'],
    ];
    for (const [status, state] of steps) {
      const { group, member, previousState } = await updateMemberStatus(fixture.deps, guest, {
        groupId,
        userId: guest.userId,
        status,
      });
      expect([member.status, group.state]).toEqual([status, state]);
      expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
        state_before: previousState,
        state_after: state,
        status,
      });
      await expectGroupInvariants(fixture, groupId);
    }
  });

  it('changes nothing when the member has this response, also after the deadline', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest], { respondBy: fixture.clock.in(MINUTE_MS) });
    const input = { groupId, userId: guest.userId, status: 'ACCEPTED' } as const;
    const { member } = await updateMemberStatus(fixture.deps, guest, input);
    fixture.clock.advance(1_000);
    const again = await updateMemberStatus(fixture.deps, guest, input);
    expect(again).toMatchObject({ changed: false, previousState: 'CONFIRMED', group: { revision: 3 } });
    expect(again.member).toEqual(member);
    fixture.clock.advance(MINUTE_MS);
    expect(await updateMemberStatus(fixture.deps, guest, input)).toMatchObject({ changed: false, member });
    await cancelGroup(fixture.deps, owner, { groupId });
    expect(await updateMemberStatus(fixture.deps, guest, input)).toMatchObject({ changed: false, member });
    expect((await readHistoryRows(fixture, groupId)).map(({ cause }) => cause)).toEqual([
      'CREATED',
      'INVITED',
      'RESPONSE',
      'DEADLINE',
      'CANCELLED',
    ]);
  });

  it('keeps respondedAt when the response does not change', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const { member } = await updateMemberStatus(fixture.deps, guest, {
      groupId,
      userId: guest.userId,
      status: 'PENDING',
    });
    expect(member.respondedAt).toBeNull();
  });

  it('takes two round trips to the database', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const { statements } = await countStatements(() =>
      updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
    );
    expect(statements).toBe(2);
  });

  it.each(['PENDING', 'ACCEPTED', 'TENTATIVE'] as const)(
    'rejects %s in a cancelled group, and accepts DECLINED',
    async (status) => {
      const [owner, guest] = await createUsers(fixture, 2);
      const groupId = await createGroupWithMembers(fixture, owner, [guest]);
      const other = status === 'PENDING' ? 'ACCEPTED' : 'PENDING';
      await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: other });
      await cancelGroup(fixture.deps, owner, { groupId });
      const respond = (to: ResponseStatus) =>
        updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: to });
      await expect(respond(status)).rejects.toEqual(errorWithReason('RESPONSES_CLOSED'));
      expect(await respond('DECLINED')).toMatchObject({
        changed: true,
        previousState: 'CANCELLED',
        group: { state: 'CANCELLED', counts: { declined: 1 } },
      });
      await expectGroupInvariants(fixture, groupId);
    },
  );
});

describe('authorization of updateMemberStatus', () => {
  it('allows the member, administrators, and API clients with responses:write', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const root = await createAdmin(fixture);
    const input = { groupId, userId: guest.userId };
    expect(
      (await updateMemberStatus(fixture.deps, root, { ...input, status: 'TENTATIVE' })).group.viewerMembership,
    ).toBeNull();
    await updateMemberStatus(fixture.deps, serviceActor(['responses:write']), { ...input, status: 'DECLINED' });
    await updateMemberStatus(fixture.deps, serviceActor(['responses:write'], [groupId]), {
      ...input,
      status: 'ACCEPTED',
    });
    const history = await readHistoryRows(fixture, groupId);
    expect(
      history.slice(-3).map(({ actor_id: actor, api_key: key, subject_id: subject }) => [actor, key, subject]),
    ).toEqual([
      [root.userId, null, guest.userId],
      [null, 'matchmaker', guest.userId],
      [null, 'matchmaker', guest.userId],
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it('rejects other members, also owners', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest, other]);
    for (const actor of [owner, other]) {
      await expect(
        updateMemberStatus(fixture.deps, actor, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
      ).rejects.toEqual(errorWithReason('NOT_YOUR_MEMBERSHIP'));
    }
    expect((await expectGroupInvariants(fixture, groupId)).acceptedCount).toBe(1);
  });

  it('rejects API clients without scope or limited to other groups', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    const input = { groupId, userId: guest.userId, status: 'ACCEPTED' } as const;
    await expect(
      updateMemberStatus(fixture.deps, serviceActor(['groups:read', 'scores:write']), input),
    ).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    await expect(updateMemberStatus(fixture.deps, serviceActor(['responses:write'], [newId()]), input)).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
  });
});

describe('checks of updateMemberStatus', () => {
  it('run in the order caller, group, member, permission, revision, equality, deadline', async () => {
    const [owner, guest, stranger] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await cancelGroup(fixture.deps, owner, { groupId });
    const wrong = { groupId, userId: guest.userId, status: 'ACCEPTED', expectedRevision: 99 } as const;
    await expect(updateMemberStatus(fixture.deps, ANONYMOUS, { ...wrong, groupId: newId() })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(updateMemberStatus(fixture.deps, guest, { ...wrong, groupId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(updateMemberStatus(fixture.deps, stranger, { ...wrong, userId: newId() })).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await expect(updateMemberStatus(fixture.deps, owner, { ...wrong, userId: stranger.userId })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(updateMemberStatus(fixture.deps, serviceActor([]), { ...wrong, userId: newId() })).rejects.toEqual(
      errorWithReason('MEMBER_NOT_FOUND'),
    );
    await expect(updateMemberStatus(fixture.deps, owner, wrong)).rejects.toEqual(
      errorWithReason('NOT_YOUR_MEMBERSHIP'),
    );
    await expect(updateMemberStatus(fixture.deps, guest, { ...wrong, status: 'PENDING' })).rejects.toEqual(
      errorWithReason('REVISION_CHANGED'),
    );
    expect(
      await updateMemberStatus(fixture.deps, guest, { ...wrong, status: 'PENDING', expectedRevision: 1 }),
    ).toMatchObject({ changed: false });
    await expect(updateMemberStatus(fixture.deps, guest, { ...wrong, expectedRevision: 1 })).rejects.toEqual(
      errorWithReason('RESPONSES_CLOSED'),
    );
    expect(await readHistoryRows(fixture, groupId)).toHaveLength(3);
  });

  it("compare the member's revision, which changes only with the member's responses", async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await updateMemberStatus(fixture.deps, owner, { groupId, userId: owner.userId, status: 'TENTATIVE' });
    const input = { groupId, userId: guest.userId } as const;
    expect(
      (await updateMemberStatus(fixture.deps, guest, { ...input, status: 'ACCEPTED', expectedRevision: 1 })).member
        .revision,
    ).toBe(2);
    await expect(
      updateMemberStatus(fixture.deps, guest, { ...input, status: 'DECLINED', expectedRevision: 1 }),
    ).rejects.toEqual(errorWithReason('REVISION_CHANGED'));
    expect(
      (await updateMemberStatus(fixture.deps, guest, { ...input, status: 'DECLINED', expectedRevision: null })).member
        .revision,
    ).toBe(3);
  });
});
