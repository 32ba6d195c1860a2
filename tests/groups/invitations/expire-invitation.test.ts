import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../../../src/async/durations.js';
import { claimInvitation, getGroup, updateGroup, updateMemberStatus } from '../../../src/groups/index.js';
import { readTaskStatuses, runDueTasks } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { createGroupsFixture, createUser, type GroupsFixture } from '../../support/groups/groups-fixture.js';
import {
  createInvitingGroup,
  INVITATION_TTL_MS,
  readInvitationCounts,
  readMailedSecret,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
afterAll(() => world.close());

async function statesOf(groupId: string): Promise<unknown[]> {
  return (await readHistoryRows(world, groupId)).map(({ cause, state_after: state }) => `${String(cause)} ${state}`);
}

describe('expireInvitation', () => {
  it('records the expiry with the system as author and keeps the invitation in the counts', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(world);
    const [invitation] = await invite(uniqueEmail());
    world.clock.advance(INVITATION_TTL_MS - 1);
    await runDueTasks(world);
    expect(await readInvitationCounts(world, groupId)).toMatchObject({ open: 1, revision: 2 });
    world.clock.advance(1);
    await runDueTasks(world);
    expect(await getGroup(world.deps, owner, groupId)).toMatchObject({
      state: 'FAILED',
      stateChangedAt: world.clock.now(),
      revision: 3,
      requiredCount: 2,
      memberCount: 1,
      counts: { openInvitations: 0, lapsedInvitations: 1 },
    });
    expect((await readHistoryRows(world, groupId)).at(-1)).toMatchObject({
      cause: 'INVITATION_EXPIRED',
      actor_id: null,
      api_key: null,
      subject_id: null,
      status: null,
      state_before: 'FORMING',
      at: world.clock.now(),
    });
    expect(await readTaskStatuses(world, 'expire_invitation', { invitationId: invitation?.id ?? '' })).toEqual([
      'DONE',
    ]);
    await expectGroupInvariants(world, groupId);
  });

  it('skips a claimed invitation and a repeated run', async () => {
    const { groupId, invite } = await createInvitingGroup(world);
    const [claimed, left] = [uniqueEmail(), uniqueEmail()];
    const [one, other] = await invite(claimed, left);
    await claimInvitation(world.deps, await createUser(world), {
      secret: await readMailedSecret(world, claimed),
      status: 'ACCEPTED',
    });
    await world.sql(
      `insert into outbox_task (id, name, payload, status, attempts, created_at, due_at)
      select gen_random_uuid(), name, payload, status, attempts, created_at, due_at from outbox_task
      where name = 'expire_invitation' and payload->>'invitationId' = $1`,
      [other?.id],
    );
    world.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(world);
    expect(await readTaskStatuses(world, 'expire_invitation', { invitationId: one?.id ?? '' })).toEqual(['SKIPPED']);
    expect((await readTaskStatuses(world, 'expire_invitation', { invitationId: other?.id ?? '' })).toSorted()).toEqual([
      'DONE',
      'SKIPPED',
    ]);
    expect(await readInvitationCounts(world, groupId)).toMatchObject({ open: 0, lapsed: 1, revision: 5 });
  });

  it('skips an invitation that was deleted with its group', async () => {
    const { groupId, invite } = await createInvitingGroup(world);
    const [invitation] = await invite(uniqueEmail());
    await world.sql('delete from groups where id = $1', [groupId]);
    world.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(world);
    expect(await readTaskStatuses(world, 'expire_invitation', { invitationId: invitation?.id ?? '' })).toEqual([
      'SKIPPED',
    ]);
    expect(await readTaskStatuses(world, 'mail_invitation', { invitationId: invitation?.id ?? '' })).toEqual([
      'SKIPPED',
    ]);
  });

  it('records an earlier unrecorded deadline first', async () => {
    const { groupId, invite } = await createInvitingGroup(world, [], { respondBy: world.clock.in(DAY_MS) });
    await invite(uniqueEmail());
    await world.sql(`update outbox_task set due_at = $1 where name = 'record_deadline' and payload->>'groupId' = $2`, [
      world.clock.in(99 * DAY_MS),
      groupId,
    ]);
    world.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(world);
    expect(await statesOf(groupId)).toEqual([
      'CREATED FORMING',
      'INVITED FORMING',
      'DEADLINE EXPIRED',
      'INVITATION_EXPIRED EXPIRED',
    ]);
    await expectGroupInvariants(world, groupId);
  });
});

describe('group state with invitations', () => {
  it('waits for open invitations and counts expired ones as missing responses', async () => {
    const guest = await createUser(world);
    const { groupId, invite } = await createInvitingGroup(world, [guest], { quorum: 3 });
    const address = uniqueEmail();
    await invite(address);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    world.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(world);
    await invite(address, uniqueEmail());
    await claimInvitation(world.deps, await createUser(world), {
      secret: await readMailedSecret(world, address),
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
    await expectGroupInvariants(world, groupId);
  });

  it('requires invited people too without a quorum', async () => {
    const guest = await createUser(world);
    const { owner, groupId, invite } = await createInvitingGroup(world, [guest]);
    await updateMemberStatus(world.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' });
    expect((await getGroup(world.deps, owner, groupId)).state).toBe('CONFIRMED');
    await invite(uniqueEmail());
    expect(await getGroup(world.deps, owner, groupId)).toMatchObject({ state: 'FORMING', requiredCount: 3 });
    world.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(world);
    expect(await getGroup(world.deps, owner, groupId)).toMatchObject({ state: 'FAILED', requiredCount: 3 });
  });
});

describe('recordDeadline', () => {
  it('records the deadline once, with the deadline as its time', async () => {
    const respondBy = world.clock.in(DAY_MS);
    const { groupId } = await createInvitingGroup(world, [await createUser(world)], { respondBy });
    world.clock.moveTo(new Date(respondBy.getTime() - 1));
    await runDueTasks(world);
    expect((await readInvitationCounts(world, groupId)).revision).toBe(2);
    world.clock.advance(5_001);
    await runDueTasks(world);
    expect((await readHistoryRows(world, groupId)).slice(2)).toEqual([
      expect.objectContaining({ cause: 'DEADLINE', at: respondBy, actor_id: null, state_after: 'EXPIRED' }),
    ]);
    expect(await readTaskStatuses(world, 'record_deadline', { groupId })).toEqual(['DONE']);
  });

  it('skips a moved deadline, for which a new task is enqueued', async () => {
    const { owner, groupId } = await createInvitingGroup(world, [], { respondBy: world.clock.in(DAY_MS) });
    await updateGroup(world.deps, owner, { groupId, respondBy: world.clock.in(2 * DAY_MS) });
    world.clock.advance(DAY_MS);
    await runDueTasks(world);
    expect(await readTaskStatuses(world, 'record_deadline', { groupId })).toEqual(['SKIPPED', 'QUEUED']);
    world.clock.advance(DAY_MS);
    await runDueTasks(world);
    expect(await readTaskStatuses(world, 'record_deadline', { groupId })).toEqual(['SKIPPED', 'DONE']);
    expect(await statesOf(groupId)).toEqual(['CREATED FORMING', 'RULE_CHANGED FORMING', 'DEADLINE EXPIRED']);
  });
});
