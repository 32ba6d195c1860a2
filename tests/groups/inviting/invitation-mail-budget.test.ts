import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { DAY_MS, DAY_SECONDS, HOUR_MS, HOUR_SECONDS } from '../../../src/async/durations.js';
import { inviteToGroup } from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { readTaskStatuses, runDueTasks } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants } from '../../support/groups/group-invariants.js';
import {
  createAdmin,
  createGroupsFixture,
  createGroupWithMembers,
  createUser,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  INVITATION_TTL_MS,
  readInvitationCounts,
  uniqueEmail,
  type InvitingGroup,
} from '../../support/groups/invitation-fixture.js';

let world: GroupsFixture;
beforeAll(async () => {
  world = await createGroupsFixture();
});
// Hundreds of mails that the next test would have to send.
afterEach(() => world.sql('delete from outbox_task'));
afterAll(() => world.close());

const addresses = (count: number): string[] => Array.from({ length: count }, uniqueEmail);

async function mailsTo(address: string): Promise<number> {
  await runDueTasks(world);
  return world.mailer.sent.filter(({ to }) => to === address).length;
}

describe('mail limit per inviter', () => {
  it('allows 200 mails a day over all groups, then changes nothing and returns the time to wait', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(world);
    await invite(...addresses(150));
    world.clock.advance(HOUR_MS);
    await invite(...addresses(50));
    const before = await readInvitationCounts(world, groupId);
    await expect(invite(uniqueEmail())).rejects.toEqual(
      expect.objectContaining({
        reason: 'RATE_LIMITED',
        retryAfterSeconds: DAY_SECONDS - HOUR_SECONDS,
        policy: { name: 'invitation-mail', quota: 200, windowSeconds: DAY_SECONDS },
      }),
    );
    await expect(invite(...addresses(151))).rejects.toEqual(
      expect.objectContaining({ reason: 'RATE_LIMITED', retryAfterSeconds: DAY_SECONDS }),
    );
    expect(await readInvitationCounts(world, groupId)).toEqual(before);
    const guest = await createUser(world);
    expect(
      (await inviteToGroup(world.deps, owner, { groupId, invitees: [{ userId: guest.userId }] })).results[0]?.outcome,
    ).toBe('INVITED');
    world.clock.advance(DAY_MS - HOUR_MS);
    await expect(invite(...addresses(150))).resolves.toHaveLength(150);
    await expect(invite(uniqueEmail())).rejects.toEqual(errorWithReason('RATE_LIMITED'));
  });

  it('holds for concurrent calls in different groups', async () => {
    const first = await createInvitingGroup(world);
    const second = await createGroupWithMembers(world, first.owner);
    const calls = [first.groupId, second, first.groupId, second].map((groupId) =>
      inviteToGroup(world.deps, first.owner, { groupId, invitees: addresses(80).map((email) => ({ email })) }),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(
      await world.sql('select count(*)::integer as mails from invitation_mail where inviter_id = $1', [
        first.owner.userId,
      ]),
    ).toEqual([{ mails: 160 }]);
    await Promise.all([first.groupId, second].map((groupId) => expectGroupInvariants(world, groupId)));
  });

  it('counts a repeated address once', async () => {
    const { invite } = await createInvitingGroup(world);
    const address = uniqueEmail();
    await invite(...addresses(199));
    await expect(invite(address, address, address.toUpperCase())).resolves.toHaveLength(3);
  });
});

describe('mail limit per address', () => {
  it('allows 5 mails a day from all inviters, then returns the same result without a mail', async () => {
    const address = uniqueEmail();
    const hosts = await Promise.all(Array.from({ length: 6 }, () => createInvitingGroup(world)));
    for (const { invite } of hosts.slice(0, 5)) await invite(address);
    const last = hosts[5] as InvitingGroup;
    const { results, group } = await inviteToGroup(world.deps, last.owner, {
      groupId: last.groupId,
      invitees: [{ email: address }],
    });
    expect(results).toEqual([
      {
        outcome: 'INVITATION_SENT',
        member: null,
        invitation: expect.objectContaining({ email: address, expiresAt: world.clock.in(INVITATION_TTL_MS) }),
      },
    ]);
    expect(group.counts.openInvitations).toBe(1);
    expect(await mailsTo(address)).toBe(5);
  });

  it('keeps the old link valid when no new one can be mailed', async () => {
    const address = uniqueEmail();
    const { groupId, invite } = await createInvitingGroup(world);
    const [first] = await invite(address);
    for (const _ of [1, 2, 3, 4, 5, 6]) await invite(address);
    expect(await mailsTo(address)).toBe(1);
    const [{ issue } = { issue: 0 }] = await world.sql<{ issue: number }>(
      'select issue from invitation where id = $1',
      [first?.id],
    );
    expect(issue).toBe(5);
    expect(world.mailer.sent.filter(({ to }) => to === address)).toHaveLength(1);
    expect(await readInvitationCounts(world, groupId)).toMatchObject({ open: 1, revision: 2 });
    world.clock.advance(DAY_MS);
    await invite(address);
    expect(await mailsTo(address)).toBe(2);
  });

  it('expires an invitation that was never mailed', async () => {
    const address = uniqueEmail();
    for (const host of await Promise.all(Array.from({ length: 5 }, () => createInvitingGroup(world))))
      await host.invite(address);
    const { groupId, invite } = await createInvitingGroup(world);
    const [invitation] = await invite(address);
    world.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(world);
    expect(await readTaskStatuses(world, 'mail_invitation', { invitationId: invitation?.id ?? '' })).toEqual([]);
    expect(await readInvitationCounts(world, groupId)).toMatchObject({ open: 0, lapsed: 1, revision: 3 });
  });

  it('holds for concurrent inviters without a deadlock', async () => {
    const [one, other] = [uniqueEmail(), uniqueEmail()];
    const hosts = await Promise.all(Array.from({ length: 8 }, () => createInvitingGroup(world)));
    await Promise.all(hosts.map(({ invite }, index) => (index % 2 === 0 ? invite(one, other) : invite(other, one))));
    expect([await mailsTo(one), await mailsTo(other)]).toEqual([5, 5]);
  });
});

describe('concurrent invitations by an administrator', () => {
  it('never deadlock', async () => {
    const admin = await createAdmin(world);
    await assignEmail(world, admin, uniqueEmail());
    const groupIds = await Promise.all(
      Array.from({ length: 8 }, async () => createGroupWithMembers(world, await createUser(world))),
    );
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const invite = (groupId: string) =>
      inviteToGroup(world.deps, admin, { groupId, invitees: [{ email: uniqueEmail() }] });
    await Promise.all(groupIds.map(invite));
    expect(query.mock.calls.filter(([sent]) => JSON.stringify(sent).includes('rollback'))).toEqual([]);
    query.mockRestore();
  });
});

describe('without limits', () => {
  it('counts nothing and sends every mail', async () => {
    const unlimited = { ...world.deps, invitationMailQuotas: null };
    const { owner, groupId } = await createInvitingGroup(world);
    const address = uniqueEmail();
    await inviteToGroup(unlimited, owner, { groupId, invitees: addresses(250).map((email) => ({ email })) });
    await world.sql('delete from outbox_task');
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      await inviteToGroup(unlimited, owner, { groupId, invitees: [{ email: address }] });
      await runDueTasks(world);
    }
    expect(await mailsTo(address)).toBe(6);
    expect(await world.sql('select 1 from invitation_mail where inviter_id = $1', [owner.userId])).toEqual([]);
  });
});
