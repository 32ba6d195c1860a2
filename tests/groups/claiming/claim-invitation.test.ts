import { describe, expect, it } from '@jest/globals';
import { deriveLinkSecret, newId } from '../../../src/accounts/index.js';
import {
  cancelGroup,
  claimInvitation,
  listInbox,
  revokeInvitation,
  updateGroup,
  type InvitationView,
  type MemberView,
  type ResponseStatus,
} from '../../../src/groups/index.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { ANONYMOUS, createUser, createUsers, serviceActor } from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  createUserWithEmail,
  INVITATION_TTL_MS,
  readInvitationCounts,
  readMailedSecret,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

/** A group that has mailed a link to an address, and the link's secret. */
async function linked(address = uniqueEmail(), fields: Parameters<typeof createInvitingGroup>[2] = {}) {
  const host = await createInvitingGroup(fixture, [], fields);
  const [invitation] = await host.invite(address);
  if (invitation === undefined) throw new Error('no invitation');
  return { ...host, invitation, address, secret: await readMailedSecret(fixture, address) };
}

async function isVerified(userId: string): Promise<boolean> {
  const [row] = await fixture.sql<{ verified: boolean }>(
    'select email_verified_at is not null as verified from account where id = $1',
    [userId],
  );
  return row?.verified ?? false;
}

async function statusOf({ id }: InvitationView): Promise<string> {
  const [row] = await fixture.sql<{ status: string }>('select status from invitation where id = $1', [id]);
  return row?.status ?? 'gone';
}

describe('claimInvitation by secret', () => {
  it.each<[ResponseStatus, string, string]>([
    ['PENDING', 'JOINED', 'CLAIMED'],
    ['ACCEPTED', 'JOINED', 'CLAIMED'],
    ['TENTATIVE', 'JOINED', 'CLAIMED'],
    ['DECLINED', 'INVITATION_DECLINED', 'DECLINED'],
  ])('creates a member with the response %s', async (status, cause, ended) => {
    const { owner, groupId, invitation, secret } = await linked();
    const guest = await createUser(fixture);
    fixture.clock.advance(1_000);
    const now = fixture.clock.now();
    const { member } = await claimInvitation(fixture.deps, guest, { secret, status });
    expect(member).toMatchObject({
      groupId,
      userId: guest.userId,
      role: 'MEMBER',
      status,
      invitedById: owner.userId,
      invitedAt: now,
      respondedAt: status === 'PENDING' ? null : now,
      revision: 1,
    } satisfies Partial<MemberView>);
    expect(await statusOf(invitation)).toBe(ended);
    const history = await readHistoryRows(fixture, groupId);
    expect(history.at(-1)).toMatchObject({
      revision: 3,
      cause,
      actor_id: guest.userId,
      subject_id: guest.userId,
      status,
      open_invitations: 0,
      lapsed_invitations: 0,
    });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 2,
      state: status === 'ACCEPTED' ? 'CONFIRMED' : status === 'DECLINED' ? 'FAILED' : 'FORMING',
    });
  });

  it('succeeds once', async () => {
    const { groupId, secret } = await linked();
    const [guest, other] = await createUsers(fixture, 2);
    await claimInvitation(fixture.deps, guest, { secret, status: 'PENDING' });
    await expect(claimInvitation(fixture.deps, other, { secret, status: 'PENDING' })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    await expect(claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, revision: 3 });
  });

  it('only marks the invitation as claimed for a member, also after the deadline', async () => {
    const guest = await createUser(fixture);
    const host = await createInvitingGroup(fixture, [guest], { respondBy: fixture.clock.in(1_000) });
    const address = uniqueEmail();
    const [invitation] = await host.invite(address);
    const secret = await readMailedSecret(fixture, address);
    fixture.clock.advance(1_000);
    const { member } = await claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' });
    expect(member).toMatchObject({ userId: guest.userId, status: 'PENDING', revision: 1, respondedAt: null });
    expect(invitation && (await statusOf(invitation))).toBe('CLAIMED');
    const history = await readHistoryRows(fixture, host.groupId);
    expect(history.slice(3).map(({ cause, status, open_invitations: open }) => [cause, status, open])).toEqual([
      ['DEADLINE', null, 1],
      ['JOINED', 'PENDING', 0],
    ]);
    expect(await expectGroupInvariants(fixture, host.groupId)).toMatchObject({ memberCount: 2, requiredCount: 3 });
  });

  it('does not make a score stale when the claimer is a member', async () => {
    const guest = await createUser(fixture);
    const host = await createInvitingGroup(fixture, [guest]);
    const address = uniqueEmail();
    await host.invite(address);
    const before = await fixture.sql('select answers_revision from groups where id = $1', [host.groupId]);
    await claimInvitation(fixture.deps, guest, { secret: await readMailedSecret(fixture, address), status: 'PENDING' });
    expect(await fixture.sql('select answers_revision from groups where id = $1', [host.groupId])).toEqual(before);
  });

  it('accepts only DECLINED after the deadline, until the deadline is moved', async () => {
    const { owner, groupId, invitation, secret } = await linked(uniqueEmail(), { respondBy: fixture.clock.in(1_000) });
    const guest = await createUser(fixture);
    fixture.clock.advance(1_000);
    for (const status of ['PENDING', 'ACCEPTED', 'TENTATIVE'] as const) {
      await expect(claimInvitation(fixture.deps, guest, { secret, status })).rejects.toEqual(
        errorWithReason('RESPONSES_CLOSED'),
      );
    }
    expect(await statusOf(invitation)).toBe('OPEN');
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 2 });
    await updateGroup(fixture.deps, owner, { groupId, respondBy: fixture.clock.in(1_000) });
    expect((await claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' })).member.status).toBe('ACCEPTED');
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('accepts DECLINED after the deadline (better-auth#7322)', async () => {
    const { groupId, secret } = await linked(uniqueEmail(), { respondBy: fixture.clock.in(1_000) });
    const guest = await createUser(fixture);
    fixture.clock.advance(1_000);
    expect((await claimInvitation(fixture.deps, guest, { secret, status: 'DECLINED' })).member.status).toBe('DECLINED');
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      state: 'EXPIRED',
      counts: { declined: 1, openInvitations: 0 },
    });
  });

  it('rejects an expired invitation before the expiry is recorded (milo#802)', async () => {
    const { groupId, secret } = await linked();
    const guest = await createUser(fixture);
    fixture.clock.advance(INVITATION_TTL_MS);
    for (const status of ['ACCEPTED', 'DECLINED'] as const) {
      await expect(claimInvitation(fixture.deps, guest, { secret, status })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 2 });
  });

  it('succeeds until the millisecond before the expiry', async () => {
    const { secret } = await linked();
    fixture.clock.advance(INVITATION_TTL_MS - 1);
    expect(
      (await claimInvitation(fixture.deps, await createUser(fixture), { secret, status: 'PENDING' })).member.status,
    ).toBe('PENDING');
  });

  it('rejects a link after renewal, revocation or cancellation', async () => {
    const guest = await createUser(fixture);
    const replaced = await linked();
    await replaced.invite(replaced.address);
    const revoked = await linked();
    await revokeInvitation(fixture.deps, revoked.owner, { invitationId: revoked.invitation.id });
    const cancelled = await linked();
    await cancelGroup(fixture.deps, cancelled.owner, { groupId: cancelled.groupId });
    for (const { secret } of [replaced, revoked, cancelled]) {
      await expect(claimInvitation(fixture.deps, guest, { secret, status: 'DECLINED' })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
  });

  it('rejects a secret of another purpose or a forged one', async () => {
    const { invitation } = await linked();
    const guest = await createUser(fixture);
    const { serverSecret } = fixture.deps;
    const row = { id: invitation.id, version: 1 };
    const forged = [
      '',
      'x',
      '\0',
      'a'.repeat(100_000),
      invitation.id,
      deriveLinkSecret(serverSecret, 'verify-email', row),
      deriveLinkSecret(serverSecret, 'invitation', { ...row, version: 2 }),
      deriveLinkSecret(serverSecret, 'invitation', { id: newId(), version: 1 }),
    ];
    for (const secret of forged) {
      await expect(claimInvitation(fixture.deps, guest, { secret, status: 'PENDING' })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
  });

  it('requires an authenticated caller and exactly one of secret and invitationId', async () => {
    const { secret, invitation } = await linked();
    const guest = await createUser(fixture);
    await expect(claimInvitation(fixture.deps, ANONYMOUS, { secret, status: 'PENDING' })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(
      claimInvitation(fixture.deps, serviceActor(['responses:write']), { secret, status: 'PENDING' }),
    ).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    await expect(claimInvitation(fixture.deps, guest, { status: 'PENDING' })).rejects.toEqual(
      errorWithFields('secret'),
    );
    await expect(
      claimInvitation(fixture.deps, guest, { secret: null, invitationId: null, status: 'PENDING' }),
    ).rejects.toEqual(errorWithFields('secret'));
    await expect(
      claimInvitation(fixture.deps, guest, { secret, invitationId: invitation.id, status: 'PENDING' }),
    ).rejects.toEqual(errorWithFields('secret'));
    await expect(
      claimInvitation(fixture.deps, { ...guest, userId: newId() }, { secret, status: 'PENDING' }),
    ).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
  });

  it("sets no inviter when the inviter's account was deleted", async () => {
    const { secret, invitation } = await linked();
    const gone = await createUser(fixture);
    await fixture.sql('update invitation set invited_by_id = $2 where id = $1', [invitation.id, gone.userId]);
    await fixture.sql('delete from account where id = $1', [gone.userId]);
    expect(
      (await claimInvitation(fixture.deps, await createUser(fixture), { secret, status: 'PENDING' })).member
        .invitedById,
    ).toBeNull();
  });
});

describe("email verification by an invitation's secret", () => {
  it("verifies the address of the claimer's account, in any case", async () => {
    const { secret, address } = await linked();
    const guest = await createUser(fixture);
    await assignEmail(fixture, guest, address.toUpperCase(), false);
    await claimInvitation(fixture.deps, guest, { secret, status: 'PENDING' });
    expect(await isVerified(guest.userId)).toBe(true);
  });

  it('verifies nothing when the account has another address or none', async () => {
    const [one, other] = [await linked(), await linked()];
    const [withAnother, withNone] = await createUsers(fixture, 2);
    await assignEmail(fixture, withAnother, uniqueEmail(), false);
    await claimInvitation(fixture.deps, withAnother, { secret: one.secret, status: 'PENDING' });
    await claimInvitation(fixture.deps, withNone, { secret: other.secret, status: 'PENDING' });
    expect([await isVerified(withAnother.userId), await isVerified(withNone.userId)]).toEqual([false, false]);
  });

  it('accepts the claim without taking an address that another account has verified', async () => {
    const { secret, address } = await linked();
    const holder = await createUserWithEmail(fixture, address);
    const guest = await createUser(fixture);
    await assignEmail(fixture, guest, address, false);
    expect((await claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' })).member.status).toBe('ACCEPTED');
    expect([await isVerified(guest.userId), await isVerified(holder.userId)]).toEqual([false, true]);
  });

  it('verifies the address for one of two concurrent claimers and accepts both claims', async () => {
    const address = uniqueEmail();
    const links = await Promise.all([linked(address), linked(address)]);
    const secrets = links.map(({ invitation }) =>
      deriveLinkSecret(fixture.deps.serverSecret, 'invitation', { id: invitation.id, version: 1 }),
    );
    const guests = await createUsers(fixture, 2);
    for (const guest of guests) await assignEmail(fixture, guest, address, false);
    const claims = await Promise.all(
      guests.map((guest, index) =>
        claimInvitation(fixture.deps, guest, { secret: secrets[index] ?? '', status: 'ACCEPTED' }),
      ),
    );
    expect(claims.map(({ member }) => member.status)).toEqual(['ACCEPTED', 'ACCEPTED']);
    const verified = await Promise.all(guests.map(({ userId }) => isVerified(userId)));
    expect(verified.filter(Boolean)).toHaveLength(1);
  });

  it('verifies nothing when the claim fails', async () => {
    const { secret, address } = await linked(uniqueEmail(), { respondBy: fixture.clock.in(1_000) });
    const guest = await createUser(fixture);
    await assignEmail(fixture, guest, address, false);
    fixture.clock.advance(1_000);
    await expect(claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' })).rejects.toEqual(
      errorWithReason('RESPONSES_CLOSED'),
    );
    expect(await isVerified(guest.userId)).toBe(false);
  });
});

describe('claimInvitation by id', () => {
  it('accepts the verified address that was invited, in any case (solidtime#1172)', async () => {
    const { groupId, invitation, address } = await linked(`ZOE-${uniqueEmail()}`);
    const zoe = await createUserWithEmail(fixture, address.toLowerCase());
    const { nodes } = await listInbox(fixture.deps, zoe.userId, { first: 10 });
    expect(nodes.map(({ id }) => id)).toEqual([invitation.id]);
    const { member } = await claimInvitation(fixture.deps, zoe, { invitationId: invitation.id, status: 'PENDING' });
    expect(member).toMatchObject({ userId: zoe.userId, status: 'PENDING' });
    expect((await listInbox(fixture.deps, zoe.userId, { first: 10 })).totalCount).toBe(0);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 2,
      counts: { pending: 1, openInvitations: 0 },
    });
  });

  it('succeeds when the link was replaced', async () => {
    const { invite, invitation, address } = await linked();
    await invite(address);
    const guest = await createUserWithEmail(fixture, address);
    expect(
      (await claimInvitation(fixture.deps, guest, { invitationId: invitation.id, status: 'DECLINED' })).member.status,
    ).toBe('DECLINED');
  });

  it("throws INVITATION_NOT_FOUND for unverified addresses, other addresses and the group's owner", async () => {
    const { owner, invitation, address } = await linked();
    const [nobodys, unverified] = await createUsers(fixture, 2);
    await assignEmail(fixture, unverified, address, false);
    const verified = await createUserWithEmail(fixture);
    for (const invitationId of [invitation.id, newId()]) {
      for (const caller of [nobodys, unverified, verified, owner]) {
        await expect(claimInvitation(fixture.deps, caller, { invitationId, status: 'ACCEPTED' })).rejects.toEqual(
          errorWithReason('INVITATION_NOT_FOUND'),
        );
      }
    }
    expect(await statusOf(invitation)).toBe('OPEN');
  });

  it('rejects an expired or revoked invitation', async () => {
    const [expired, revoked] = [await linked(), await linked()];
    const late = await createUserWithEmail(fixture, expired.address);
    const unwanted = await createUserWithEmail(fixture, revoked.address);
    await revokeInvitation(fixture.deps, revoked.owner, { invitationId: revoked.invitation.id });
    await expect(
      claimInvitation(fixture.deps, unwanted, { invitationId: revoked.invitation.id, status: 'PENDING' }),
    ).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    fixture.clock.advance(INVITATION_TTL_MS);
    await expect(
      claimInvitation(fixture.deps, late, { invitationId: expired.invitation.id, status: 'DECLINED' }),
    ).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    expect((await listInbox(fixture.deps, late.userId, { first: 10 })).nodes).toEqual([]);
  });
});
