import { describe, expect, it } from '@jest/globals';
import { getGroup, inviteToGroup, updateMemberStatus } from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { readTaskStatuses, runDueTasks } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { createAdmin, createGroupWithMembers, createUser, createUsers } from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  createUserWithEmail,
  INVITATION_TTL_MS,
  inviteAddresses,
  readInvitationCounts,
  readMailedSecret,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

describe('EmailInviter', () => {
  it('returns outcomes in the order of the invitees, and records revisions in that order', async () => {
    const { owner, groupId } = await createInvitingGroup(fixture);
    const [guest, other] = await createUsers(fixture, 2);
    const { results, group } = await inviteToGroup(fixture.deps, owner, {
      groupId,
      invitees: [
        { email: 'first@example.org' },
        { userId: guest.userId },
        { username: 'nobody-there' },
        { email: 'second@example.org' },
        { userId: owner.userId },
        { userId: other.userId },
      ],
    });
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'INVITATION_SENT',
      'INVITED',
      'USER_NOT_FOUND',
      'INVITATION_SENT',
      'ALREADY_MEMBER',
      'INVITED',
    ]);
    expect(results.map(({ member, invitation }) => [member?.userId, invitation?.email])).toEqual([
      [undefined, 'first@example.org'],
      [guest.userId, undefined],
      [undefined, undefined],
      [undefined, 'second@example.org'],
      [owner.userId, undefined],
      [other.userId, undefined],
    ]);
    expect(group).toMatchObject({
      revision: 5,
      counts: { accepted: 1, pending: 2, openInvitations: 2, lapsedInvitations: 0 },
      requiredCount: 5,
    });
    const history = await readHistoryRows(fixture, groupId);
    expect(
      history.slice(1).map(({ cause, subject_id: subject, open_invitations: open }) => [cause, subject, open]),
    ).toEqual([
      ['INVITED', null, 1],
      ['INVITED', guest.userId, 1],
      ['INVITED', null, 2],
      ['INVITED', other.userId, 2],
    ]);
    await expectGroupInvariants(fixture, groupId);
  });

  it("returns INVITATION_SENT for any address except a member's verified one, which is ALREADY_MEMBER", async () => {
    const member = await createUserWithEmail(fixture, 'member@example.org');
    const { owner, groupId } = await createInvitingGroup(fixture, [member]);
    await assignEmail(fixture, owner, 'owner@example.org');
    await createUserWithEmail(fixture, 'taken@example.org');
    const { results } = await inviteToGroup(fixture.deps, owner, {
      groupId,
      invitees: ['free', 'taken', 'member', 'owner'].map((name) => ({ email: `${name}@example.org` })),
    });
    expect(results.map(({ outcome, member: found }) => [outcome, found])).toEqual([
      ['INVITATION_SENT', null],
      ['INVITATION_SENT', null],
      ['ALREADY_MEMBER', null],
      ['ALREADY_MEMBER', null],
    ]);
    await runDueTasks(fixture);
    expect(
      fixture.mailer.sent.filter(({ to }) =>
        ['free@example.org', 'taken@example.org', 'member@example.org', 'owner@example.org'].includes(to),
      ),
    ).toHaveLength(2);
  });

  it('requires a verified address of the inviter', async () => {
    const owner = await createUser(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const guest = await createUser(fixture);
    const invitees = [{ userId: guest.userId }, { email: uniqueEmail() }];
    await expect(inviteToGroup(fixture.deps, owner, { groupId, invitees })).rejects.toEqual(
      errorWithReason('EMAIL_NOT_VERIFIED'),
    );
    await assignEmail(fixture, owner, uniqueEmail(), false);
    await expect(inviteToGroup(fixture.deps, owner, { groupId, invitees })).rejects.toEqual(
      errorWithReason('EMAIL_NOT_VERIFIED'),
    );
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ revision: 1 });
    await assignEmail(fixture, owner, uniqueEmail());
    expect((await inviteToGroup(fixture.deps, owner, { groupId, invitees })).group.revision).toBe(3);
  });

  it('requires a verified address of an administrator', async () => {
    const { groupId } = await createInvitingGroup(fixture);
    const admin = await createAdmin(fixture);
    await expect(inviteAddresses(fixture, admin, groupId, [uniqueEmail()])).rejects.toEqual(
      errorWithReason('EMAIL_NOT_VERIFIED'),
    );
    await assignEmail(fixture, admin, uniqueEmail());
    await expect(inviteAddresses(fixture, admin, groupId, [uniqueEmail()])).resolves.toHaveLength(1);
  });

  it('rejects addresses after the deadline or cancellation, whether or not they belong to accounts', async () => {
    const { owner, groupId } = await createInvitingGroup(fixture, [], { respondBy: fixture.clock.in(1_000) });
    const guest = await createUserWithEmail(fixture);
    await expect(inviteAddresses(fixture, guest, groupId, [uniqueEmail()])).rejects.toEqual(
      errorWithReason('GROUP_NOT_FOUND'),
    );
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] });
    await expect(inviteAddresses(fixture, guest, groupId, [uniqueEmail()])).rejects.toEqual(
      errorWithReason('OWNER_REQUIRED'),
    );
    fixture.clock.advance(1_000);
    await expect(inviteAddresses(fixture, owner, groupId, [uniqueEmail()])).rejects.toEqual(
      errorWithReason('RESPONSES_CLOSED'),
    );
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 0, revision: 2 });
  });

  it('mails a link once to the address as entered, with only ids in the task', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture, [], { name: 'Choir' });
    const [invitation] = await invite('Ada.Lovelace@Example.org');
    await runDueTasks(fixture);
    await runDueTasks(fixture);
    const mails = fixture.mailer.sent.filter(({ to }) => to === 'Ada.Lovelace@Example.org');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toContain('Choir');
    expect(mails[0]?.text).toMatch(/http:\/\/localhost:4000\/invitation#secret=[\w-]{20,}/);
    const tasks = await fixture.sql(
      `select name, payload from outbox_task where payload->>'invitationId' = $1 order by id`,
      [invitation?.id],
    );
    const payload = { invitationId: invitation?.id, issue: 1 };
    expect(tasks).toEqual(
      expect.arrayContaining([
        { name: 'mail_invitation', payload },
        { name: 'expire_invitation', payload },
      ]),
    );
    expect(tasks).toHaveLength(2);
    expect((await getGroup(fixture.deps, await createAdmin(fixture), groupId)).counts.openInvitations).toBe(1);
  });

  it('dispatches the mail tasks after the commit', async () => {
    const { invite } = await createInvitingGroup(fixture);
    const before = fixture.dispatchedTaskIds.length;
    const [one] = await invite(uniqueEmail(), uniqueEmail());
    const dispatched = fixture.dispatchedTaskIds.slice(before);
    expect(dispatched).toHaveLength(2);
    const rows = await fixture.sql(
      `select payload->>'invitationId' as id from outbox_task where id = any($1::uuid[]) and name = 'mail_invitation'`,
      [dispatched],
    );
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ id: one?.id });
  });
});

describe('inviting an address repeatedly', () => {
  it('replaces the link of an open invitation and restarts its time, without a revision', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    const [first] = await invite(address);
    const oldSecret = await readMailedSecret(fixture, address);
    fixture.clock.advance(INVITATION_TTL_MS / 2);
    const [second] = await invite(address);
    expect(second).toEqual({ ...first, expiresAt: fixture.clock.in(INVITATION_TTL_MS) });
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, lapsed: 0, revision: 2 });
    const newSecret = await readMailedSecret(fixture, address);
    expect(newSecret).not.toBe(oldSecret);
    fixture.clock.advance(INVITATION_TTL_MS - 1);
    await runDueTasks(fixture);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, lapsed: 0, revision: 2 });
    expect(await readTaskStatuses(fixture, 'expire_invitation', { invitationId: first?.id ?? '' })).toEqual([
      'SKIPPED',
      'QUEUED',
    ]);
    expect((await expectGroupInvariants(fixture, groupId)).memberCount).toBe(1);
    expect(owner.userId).toBe(second?.invitedById);
  });

  it('creates one invitation and one mail for a repeated address', async () => {
    const { owner, groupId } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    const { results, group } = await inviteToGroup(fixture.deps, owner, {
      groupId,
      invitees: [{ email: address }, { email: address.toUpperCase() }, { email: address }],
    });
    expect(new Set(results.map(({ invitation }) => invitation?.id)).size).toBe(1);
    expect(group).toMatchObject({ revision: 2, counts: { openInvitations: 1 } });
    await runDueTasks(fixture);
    expect(fixture.mailer.sent.filter(({ to }) => to.toLowerCase() === address)).toHaveLength(1);
  });

  it('finds the invitation in another case (bitwarden/server#1805, logto#5823, django-invitations#100)', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture);
    const [first] = await invite('Alice.Smith@Example.org');
    const [second] = await invite('alice.smith@example.ORG');
    expect(second?.id).toBe(first?.id);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 2 });
  });

  it('reopens an expired invitation as a revision, counted once', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    const [first] = await invite(address);
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({
      open: 0,
      lapsed: 1,
      revision: 3,
      state: 'FAILED',
    });
    const [second] = await invite(address);
    expect(second).toMatchObject({
      id: first?.id,
      createdAt: fixture.clock.now(),
      expiresAt: fixture.clock.in(INVITATION_TTL_MS),
    });
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({
      open: 1,
      lapsed: 0,
      revision: 4,
      state: 'FORMING',
    });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ requiredCount: 2 });
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 0, lapsed: 1, revision: 5 });
  });

  it('records an unrecorded expiry first, with the system as author', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    await invite(address);
    fixture.clock.advance(INVITATION_TTL_MS);
    const [again] = await invite(address);
    expect(again?.createdAt).toEqual(fixture.clock.now());
    const history = await readHistoryRows(fixture, groupId);
    expect(
      history
        .slice(1)
        .map(({ cause, actor_id: actor, state_after: state, open_invitations: open, lapsed_invitations: lapsed }) => [
          cause,
          actor,
          state,
          open,
          lapsed,
        ]),
    ).toEqual([
      ['INVITED', owner.userId, 'FORMING', 1, 0],
      ['INVITATION_EXPIRED', null, 'FAILED', 0, 1],
      ['INVITED', owner.userId, 'FORMING', 1, 0],
    ]);
    await runDueTasks(fixture);
    expect((await readInvitationCounts(fixture, groupId)).revision).toBe(4);
  });

  it('sets the inviter to the owner who invites again', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const other = await createUserWithEmail(fixture);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: other.userId }] });
    await updateMemberStatus(fixture.deps, other, { groupId, userId: other.userId, status: 'ACCEPTED' });
    await fixture.sql(`update member set role = 'OWNER' where group_id = $1 and user_id = $2`, [groupId, other.userId]);
    const address = uniqueEmail();
    await invite(address);
    const [again] = await inviteAddresses(fixture, other, groupId, [address]);
    expect(again?.invitedById).toBe(other.userId);
  });
});
