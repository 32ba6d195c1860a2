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

let fixture: GroupsFixture;
beforeAll(async () => {
  fixture = await createGroupsFixture();
});
// Hundreds of mails that the next test would have to send.
afterEach(() => fixture.sql('delete from outbox_task'));
afterAll(() => fixture.close());

const addresses = (count: number): string[] => Array.from({ length: count }, uniqueEmail);

async function mailsTo(address: string): Promise<number> {
  await runDueTasks(fixture);
  return fixture.mailer.sent.filter(({ to }) => to === address).length;
}

describe('mail limit per inviter', () => {
  it('allows 200 mails a day over all groups, then changes nothing and returns the time to wait', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    await invite(...addresses(150));
    fixture.clock.advance(HOUR_MS);
    await invite(...addresses(50));
    const before = await readInvitationCounts(fixture, groupId);
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
    expect(await readInvitationCounts(fixture, groupId)).toEqual(before);
    const guest = await createUser(fixture);
    expect(
      (await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] })).results[0]?.outcome,
    ).toBe('INVITED');
    fixture.clock.advance(DAY_MS - HOUR_MS);
    await expect(invite(...addresses(150))).resolves.toHaveLength(150);
    await expect(invite(uniqueEmail())).rejects.toEqual(errorWithReason('RATE_LIMITED'));
  });

  it('holds for concurrent calls in different groups', async () => {
    const first = await createInvitingGroup(fixture);
    const second = await createGroupWithMembers(fixture, first.owner);
    const calls = [first.groupId, second, first.groupId, second].map((groupId) =>
      inviteToGroup(fixture.deps, first.owner, { groupId, invitees: addresses(80).map((email) => ({ email })) }),
    );
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(
      await fixture.sql('select count(*)::integer as mails from invitation_mail where inviter_id = $1', [
        first.owner.userId,
      ]),
    ).toEqual([{ mails: 160 }]);
    await Promise.all([first.groupId, second].map((groupId) => expectGroupInvariants(fixture, groupId)));
  });

  it('counts a repeated address once', async () => {
    const { invite } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    await invite(...addresses(199));
    await expect(invite(address, address, address.toUpperCase())).resolves.toHaveLength(3);
  });
});

describe('mail limit per address', () => {
  it('allows 5 mails a day from all inviters, then returns the same result without a mail', async () => {
    const address = uniqueEmail();
    const hosts = await Promise.all(Array.from({ length: 6 }, () => createInvitingGroup(fixture)));
    for (const { invite } of hosts.slice(0, 5)) await invite(address);
    const last = hosts[5] as InvitingGroup;
    const { results, group } = await inviteToGroup(fixture.deps, last.owner, {
      groupId: last.groupId,
      invitees: [{ email: address }],
    });
    expect(results).toEqual([
      {
        outcome: 'INVITATION_SENT',
        member: null,
        invitation: expect.objectContaining({ email: address, expiresAt: fixture.clock.in(INVITATION_TTL_MS) }),
      },
    ]);
    expect(group.counts.openInvitations).toBe(1);
    expect(await mailsTo(address)).toBe(5);
  });

  it('keeps the old link valid when no new one can be mailed', async () => {
    const address = uniqueEmail();
    const { groupId, invite } = await createInvitingGroup(fixture);
    const [first] = await invite(address);
    for (const _ of [1, 2, 3, 4, 5, 6]) await invite(address);
    expect(await mailsTo(address)).toBe(1);
    const [{ issue } = { issue: 0 }] = await fixture.sql<{ issue: number }>(
      'select issue from invitation where id = $1',
      [first?.id],
    );
    expect(issue).toBe(5);
    expect(fixture.mailer.sent.filter(({ to }) => to === address)).toHaveLength(1);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 2 });
    fixture.clock.advance(DAY_MS);
    await invite(address);
    expect(await mailsTo(address)).toBe(2);
  });

  it('expires an invitation that was never mailed', async () => {
    const address = uniqueEmail();
    for (const host of await Promise.all(Array.from({ length: 5 }, () => createInvitingGroup(fixture))))
      await host.invite(address);
    const { groupId, invite } = await createInvitingGroup(fixture);
    const [invitation] = await invite(address);
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await readTaskStatuses(fixture, 'mail_invitation', { invitationId: invitation?.id ?? '' })).toEqual([]);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 0, lapsed: 1, revision: 3 });
  });

  it('holds for concurrent inviters without a deadlock', async () => {
    const [one, other] = [uniqueEmail(), uniqueEmail()];
    const hosts = await Promise.all(Array.from({ length: 8 }, () => createInvitingGroup(fixture)));
    await Promise.all(hosts.map(({ invite }, index) => (index % 2 === 0 ? invite(one, other) : invite(other, one))));
    expect([await mailsTo(one), await mailsTo(other)]).toEqual([5, 5]);
  });
});

describe('concurrent invitations by an administrator', () => {
  it('never deadlock', async () => {
    const admin = await createAdmin(fixture);
    await assignEmail(fixture, admin, uniqueEmail());
    const groupIds = await Promise.all(
      Array.from({ length: 8 }, async () => createGroupWithMembers(fixture, await createUser(fixture))),
    );
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const invite = (groupId: string) =>
      inviteToGroup(fixture.deps, admin, { groupId, invitees: [{ email: uniqueEmail() }] });
    await Promise.all(groupIds.map(invite));
    expect(query.mock.calls.filter(([sent]) => JSON.stringify(sent).includes('rollback'))).toEqual([]);
    query.mockRestore();
  });
});

describe('without limits', () => {
  it('counts nothing and sends every mail', async () => {
    const unlimited = { ...fixture.deps, invitationMailQuotas: null };
    const { owner, groupId } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    await inviteToGroup(unlimited, owner, { groupId, invitees: addresses(250).map((email) => ({ email })) });
    await fixture.sql('delete from outbox_task');
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      await inviteToGroup(unlimited, owner, { groupId, invitees: [{ email: address }] });
      await runDueTasks(fixture);
    }
    expect(await mailsTo(address)).toBe(6);
    expect(await fixture.sql('select 1 from invitation_mail where inviter_id = $1', [owner.userId])).toEqual([]);
  });
});
