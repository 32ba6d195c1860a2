import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../src/async/durations.js';
import {
  cancelGroup,
  getGroup,
  recordCompatibilityScore,
  updateGroup,
  updateMemberStatus,
} from '../../src/groups/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../support/groups/group-invariants.js';
import { createGroupWithMembers, createUsers, serviceActor } from '../support/groups/groups-fixture.js';
import { useGroupsFixture } from '../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

/** An owner and a guest who has yet to answer, and a minute for it; two acceptances are required. */
async function dated() {
  const [owner, guest] = await createUsers(fixture, 2);
  const respondBy = fixture.clock.in(MINUTE_MS);
  const groupId = await createGroupWithMembers(fixture, owner, [guest], { respondBy });
  const respond = (status: 'PENDING' | 'ACCEPTED' | 'TENTATIVE' | 'DECLINED') =>
    updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status });
  return { owner, guest, groupId, respondBy, respond };
}

async function changes(groupId: string): Promise<unknown[]> {
  const history = await readHistoryRows(fixture, groupId);
  return history.map(({ cause, state_before: before, state_after: after }) => [cause, before, after].join(' '));
}

describe('deadline', () => {
  it('accepts responses until the millisecond before it', async () => {
    const { groupId, respond, respondBy } = await dated();
    fixture.clock.moveTo(new Date(respondBy.getTime() - 1));
    expect(await respond('ACCEPTED')).toMatchObject({ changed: true, group: { state: 'CONFIRMED' } });
    await expectGroupInvariants(fixture, groupId);
  });

  it('is reported as passed from its millisecond before it is recorded', async () => {
    const { owner, groupId, respondBy } = await dated();
    fixture.clock.moveTo(new Date(respondBy.getTime() - 1));
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({ state: 'FORMING', revision: 2 });
    fixture.clock.advance(1);
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({
      state: 'EXPIRED',
      stateChangedAt: respondBy,
      revision: 2,
    });
    fixture.clock.advance(MINUTE_MS);
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({
      state: 'EXPIRED',
      stateChangedAt: respondBy,
      revision: 2,
    });
    expect(await fixture.sql('select state from groups where id = $1', [groupId])).toEqual([{ state: 'FORMING' }]);
  });

  it('keeps a confirmed group CONFIRMED', async () => {
    const { owner, groupId, respond, respondBy } = await dated();
    const { group } = await respond('ACCEPTED');
    fixture.clock.moveTo(respondBy);
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({
      state: 'CONFIRMED',
      stateChangedAt: group.stateChangedAt,
    });
  });

  it('rejects all responses but DECLINED and records nothing with a rejected one', async () => {
    const { groupId, respond, respondBy } = await dated();
    await respond('TENTATIVE');
    fixture.clock.moveTo(respondBy);
    await expect(respond('ACCEPTED')).rejects.toEqual(errorWithReason('RESPONSES_CLOSED'));
    await expect(respond('PENDING')).rejects.toEqual(errorWithReason('RESPONSES_CLOSED'));
    expect(await respond('TENTATIVE')).toMatchObject({
      changed: false,
      previousState: 'EXPIRED',
      group: { state: 'EXPIRED', revision: 3 },
    });
    expect(await changes(groupId)).toHaveLength(3);
  });

  it('is recorded once, with its own time, before the first change after it', async () => {
    const { owner, guest, groupId, respond, respondBy } = await dated();
    fixture.clock.moveTo(new Date(respondBy.getTime() + 5_000));
    expect(await respond('DECLINED')).toMatchObject({
      changed: true,
      previousState: 'EXPIRED',
      group: { state: 'EXPIRED', stateChangedAt: respondBy, revision: 4, requiredAtDeadline: 2 },
    });
    await updateGroup(fixture.deps, owner, { groupId, name: 'Lunch club' });
    expect(await changes(groupId)).toEqual([
      'CREATED  FORMING',
      'INVITED FORMING FORMING',
      'DEADLINE FORMING EXPIRED',
      'RESPONSE EXPIRED EXPIRED',
      'RENAMED EXPIRED EXPIRED',
    ]);
    const history = await readHistoryRows(fixture, groupId);
    expect(history[2]).toMatchObject({
      actor_id: null,
      api_key: null,
      subject_id: null,
      status: null,
      at: respondBy,
      pending_count: 1,
      declined_count: 0,
    });
    expect(history[3]).toMatchObject({
      actor_id: guest.userId,
      at: fixture.clock.now(),
      pending_count: 0,
      declined_count: 1,
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('keeps a confirmed group confirmed at its deadline, and expires it at a later refusal', async () => {
    const { groupId, respond, respondBy } = await dated();
    await respond('ACCEPTED');
    fixture.clock.moveTo(respondBy);
    expect(await respond('DECLINED')).toMatchObject({
      previousState: 'CONFIRMED',
      group: { state: 'EXPIRED', stateChangedAt: fixture.clock.now() },
    });
    expect((await changes(groupId)).slice(-2)).toEqual(['DEADLINE CONFIRMED CONFIRMED', 'RESPONSE CONFIRMED EXPIRED']);
    await expectGroupInvariants(fixture, groupId);
  });

  it('fixes the required count when it passes', async () => {
    const { owner, groupId, respond, respondBy } = await dated();
    fixture.clock.moveTo(respondBy);
    await respond('DECLINED');
    expect(await fixture.sql('select required_at_deadline from groups where id = $1', [groupId])).toEqual([
      { required_at_deadline: 2 },
    ]);
    expect((await getGroup(fixture.deps, owner, groupId)).requiredCount).toBe(2);
  });

  it('reopens the group when it is extended', async () => {
    const { owner, groupId, respond, respondBy } = await dated();
    fixture.clock.moveTo(new Date(respondBy.getTime() + 1));
    const { group } = await updateGroup(fixture.deps, owner, { groupId, respondBy: fixture.clock.in(MINUTE_MS) });
    expect(group).toMatchObject({ state: 'FORMING', stateChangedAt: fixture.clock.now(), requiredAtDeadline: null });
    expect((await changes(groupId)).slice(-2)).toEqual(['DEADLINE FORMING EXPIRED', 'RULE_CHANGED EXPIRED FORMING']);
    expect((await respond('ACCEPTED')).group.state).toBe('CONFIRMED');
    fixture.clock.advance(MINUTE_MS);
    await respond('DECLINED');
    expect((await changes(groupId)).slice(-2)).toEqual(['DEADLINE CONFIRMED CONFIRMED', 'RESPONSE CONFIRMED EXPIRED']);
    await expectGroupInvariants(fixture, groupId);
  });

  it('reopens the group when it is removed', async () => {
    const { owner, groupId, respondBy } = await dated();
    fixture.clock.moveTo(respondBy);
    expect((await updateGroup(fixture.deps, owner, { groupId, respondBy: null })).group).toMatchObject({
      state: 'FORMING',
      respondBy: null,
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('applies a new quorum when it stays', async () => {
    const { owner, groupId, respondBy } = await dated();
    fixture.clock.moveTo(respondBy);
    expect((await updateGroup(fixture.deps, owner, { groupId, quorum: 1 })).group).toMatchObject({
      state: 'CONFIRMED',
      requiredAtDeadline: 1,
      revision: 4,
    });
    expect((await updateGroup(fixture.deps, owner, { groupId, quorum: null })).group).toMatchObject({
      state: 'EXPIRED',
      requiredAtDeadline: 2,
      requiredCount: 2,
    });
    expect((await changes(groupId)).slice(2)).toEqual([
      'DEADLINE FORMING EXPIRED',
      'RULE_CHANGED EXPIRED CONFIRMED',
      'RULE_CHANGED CONFIRMED EXPIRED',
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it('is recorded before a later cancellation, and never after an earlier one', async () => {
    const late = await dated();
    const early = await dated();
    await cancelGroup(fixture.deps, early.owner, { groupId: early.groupId });
    fixture.clock.moveTo(late.respondBy);
    await cancelGroup(fixture.deps, late.owner, { groupId: late.groupId });
    await early.respond('DECLINED');
    expect((await changes(late.groupId)).slice(-2)).toEqual([
      'DEADLINE FORMING EXPIRED',
      'CANCELLED EXPIRED CANCELLED',
    ]);
    expect((await changes(early.groupId)).slice(-2)).toEqual([
      'CANCELLED FORMING CANCELLED',
      'RESPONSE CANCELLED CANCELLED',
    ]);
    await expectGroupInvariants(fixture, late.groupId);
    await expectGroupInvariants(fixture, early.groupId);
  });

  it('accepts a score without recording the deadline', async () => {
    const { groupId, respondBy } = await dated();
    fixture.clock.moveTo(respondBy);
    const { group } = await recordCompatibilityScore(fixture.deps, serviceActor(['scores:write']), {
      groupId,
      value: 1,
      source: 'x',
    });
    expect(group).toMatchObject({ state: 'EXPIRED', revision: 2, compatibilityScore: { stale: false } });
  });
});
