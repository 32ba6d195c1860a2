import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../../src/async/durations.js';
import { claimInvitation, getGroup, updateGroup, updateMemberStatus } from '../../../src/groups/index.js';
import { readTaskStatuses, runDueTasks } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { createUser } from '../../support/groups/groups-fixture.js';
import {
  createInvitingGroup,
  INVITATION_TTL_MS,
  readInvitationCounts,
  readMailedSecret,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

async function statesOf(groupId: string): Promise<unknown[]> {
  return (await readHistoryRows(fixture, groupId)).map(({ cause, state_after: state }) => `${String(cause)} ${state}`);
}

describe('expireInvitation', () => {
  it('records the expiry with the system as author and keeps the invitation in the counts', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const [invitation] = await invite(uniqueEmail());
    fixture.clock.advance(INVITATION_TTL_MS - 1);
    await runDueTasks(fixture);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 2 });
    fixture.clock.advance(1);
    await runDueTasks(fixture);
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({
      state: 'FAILED',
      stateChangedAt: fixture.clock.now(),
      revision: 3,
      requiredCount: 2,
      memberCount: 1,
      counts: { openInvitations: 0, lapsedInvitations: 1 },
    });
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      cause: 'INVITATION_EXPIRED',
      actor_id: null,
      api_key: null,
      subject_id: null,
      status: null,
      state_before: 'FORMING',
      at: fixture.clock.now(),
    });
    expect(await readTaskStatuses(fixture, 'expire_invitation', { invitationId: invitation?.id ?? '' })).toEqual([
      'DONE',
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it('skips a claimed invitation and a repeated run', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture);
    const [claimed, left] = [uniqueEmail(), uniqueEmail()];
    const [one, other] = await invite(claimed, left);
    await claimInvitation(fixture.deps, await createUser(fixture), {
      secret: await readMailedSecret(fixture, claimed),
      status: 'ACCEPTED',
    });
    await fixture.sql(
      `insert into outbox_task (id, name, payload, status, attempts, created_at, due_at)
      select gen_random_uuid(), name, payload, status, attempts, created_at, due_at from outbox_task
      where name = 'expire_invitation' and payload->>'invitationId' = $1`,
      [other?.id],
    );
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await readTaskStatuses(fixture, 'expire_invitation', { invitationId: one?.id ?? '' })).toEqual(['SKIPPED']);
    expect(
      (await readTaskStatuses(fixture, 'expire_invitation', { invitationId: other?.id ?? '' })).toSorted(),
    ).toEqual(['DONE', 'SKIPPED']);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 0, lapsed: 1, revision: 5 });
  });

  it('skips an invitation that was deleted with its group', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture);
    const [invitation] = await invite(uniqueEmail());
    await fixture.sql('delete from groups where id = $1', [groupId]);
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await readTaskStatuses(fixture, 'expire_invitation', { invitationId: invitation?.id ?? '' })).toEqual([
      'SKIPPED',
    ]);
    expect(await readTaskStatuses(fixture, 'mail_invitation', { invitationId: invitation?.id ?? '' })).toEqual([
      'SKIPPED',
    ]);
  });

  it('records an earlier unrecorded deadline first', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture, [], { respondBy: fixture.clock.in(DAY_MS) });
    await invite(uniqueEmail());
    await fixture.sql(
      `update outbox_task set due_at = $1 where name = 'record_deadline' and payload->>'groupId' = $2`,
      [fixture.clock.in(99 * DAY_MS), groupId],
    );
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await statesOf(groupId)).toEqual([
      'CREATED FORMING',
      'INVITED FORMING',
      'DEADLINE EXPIRED',
      'INVITATION_EXPIRED EXPIRED',
    ]);
    await expectGroupInvariants(fixture, groupId);
  });
});

describe('group state with invitations', () => {
  it('waits for open invitations and counts expired ones as missing responses', async () => {
    const guest = await createUser(fixture);
    const { groupId, invite } = await createInvitingGroup(fixture, [guest], { quorum: 3 });
    const address = uniqueEmail();
    await invite(address);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    await invite(address, uniqueEmail());
    await claimInvitation(fixture.deps, await createUser(fixture), {
      secret: await readMailedSecret(fixture, address),
      status: 'ACCEPTED',
    });
    expect(await statesOf(groupId)).toEqual([
      'CREATED FORMING',
      'INVITED FORMING',
      'INVITED FORMING',
      'RESPONSE FORMING',
      'INVITATION_EXPIRED FAILED',
      'INVITED FORMING',
      'INVITED FORMING',
      'JOINED CONFIRMED',
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it('requires invited people too without a quorum', async () => {
    const guest = await createUser(fixture);
    const { owner, groupId, invite } = await createInvitingGroup(fixture, [guest]);
    await updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect((await getGroup(fixture.deps, owner, groupId)).state).toBe('CONFIRMED');
    await invite(uniqueEmail());
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({ state: 'FORMING', requiredCount: 3 });
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await getGroup(fixture.deps, owner, groupId)).toMatchObject({ state: 'FAILED', requiredCount: 3 });
  });
});

describe('recordDeadline', () => {
  it('records the deadline once, with the deadline as its time', async () => {
    const respondBy = fixture.clock.in(DAY_MS);
    const { groupId } = await createInvitingGroup(fixture, [await createUser(fixture)], { respondBy });
    fixture.clock.moveTo(new Date(respondBy.getTime() - 1));
    await runDueTasks(fixture);
    expect((await readInvitationCounts(fixture, groupId)).revision).toBe(2);
    fixture.clock.advance(5_001);
    await runDueTasks(fixture);
    expect((await readHistoryRows(fixture, groupId)).slice(2)).toEqual([
      expect.objectContaining({ cause: 'DEADLINE', at: respondBy, actor_id: null, state_after: 'EXPIRED' }),
    ]);
    expect(await readTaskStatuses(fixture, 'record_deadline', { groupId })).toEqual(['DONE']);
  });

  it('skips a moved deadline, for which a new task is enqueued', async () => {
    const { owner, groupId } = await createInvitingGroup(fixture, [], { respondBy: fixture.clock.in(DAY_MS) });
    await updateGroup(fixture.deps, owner, { groupId, respondBy: fixture.clock.in(2 * DAY_MS) });
    fixture.clock.advance(DAY_MS);
    await runDueTasks(fixture);
    expect(await readTaskStatuses(fixture, 'record_deadline', { groupId })).toEqual(['SKIPPED', 'QUEUED']);
    fixture.clock.advance(DAY_MS);
    await runDueTasks(fixture);
    expect(await readTaskStatuses(fixture, 'record_deadline', { groupId })).toEqual(['SKIPPED', 'DONE']);
    expect(await statesOf(groupId)).toEqual(['CREATED FORMING', 'RULE_CHANGED FORMING', 'DEADLINE EXPIRED']);
  });
});
