import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
import {
  ANONYMOUS,
  createGroupsFixture,
  createUser,
  createUsers,
  serviceActor,
  type GroupsFixture,
} from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  createUserWithEmail,
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

/** A group that has mailed a link to an address, and the link's secret. */
async function linked(address = uniqueEmail(), fields: Parameters<typeof createInvitingGroup>[2] = {}) {
  const host = await createInvitingGroup(world, [], fields);
  const [invitation] = await host.invite(address);
  if (invitation === undefined) throw new Error('no invitation');
  return { ...host, invitation, address, secret: await readMailedSecret(world, address) };
}

async function isVerified(userId: string): Promise<boolean> {
  const [row] = await world.sql<{ verified: boolean }>(
    'select email_verified_at is not null as verified from account where id = $1',
    [userId],
  );
  return row?.verified ?? false;
}

async function statusOf({ id }: InvitationView): Promise<string> {
  const [row] = await world.sql<{ status: string }>('select status from invitation where id = $1', [id]);
  return row?.status ?? 'gone';
}

describe('claimInvitation by secret', () => {
  it.each<[ResponseStatus, string, string]>([
    ['PENDING', 'JOINED', 'CLAIMED'],
    ['ACCEPTED', 'JOINED', 'CLAIMED'],
    ['TENTATIVE', 'JOINED', 'CLAIMED'],
    ['DECLINED', 'INVITATION_DECLINED', 'DECLINED'],
  ])('with the answer %s makes a member of that answer', async (status, cause, ended) => {
    const { owner, groupId, invitation, secret } = await linked();
    const guest = await createUser(world);
    world.clock.advance(1_000);
    const now = world.clock.now();
    const { member } = await claimInvitation(world.deps, guest, { secret, status });
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
    const history = await readHistoryRows(world, groupId);
    expect(history.at(-1)).toMatchObject({
      revision: 3,
      cause,
      actor_id: guest.userId,
      subject_id: guest.userId,
      status,
      open_invitations: 0,
      lapsed_invitations: 0,
    });
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({
      memberCount: 2,
      state: status === 'ACCEPTED' ? 'CONFIRMED' : status === 'DECLINED' ? 'FAILED' : 'FORMING',
    });
  });

  it('succeeds once', async () => {
    const { groupId, secret } = await linked();
    const [guest, other] = await createUsers(world, 2);
    await claimInvitation(world.deps, guest, { secret, status: 'PENDING' });
    await expect(claimInvitation(world.deps, other, { secret, status: 'PENDING' })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    await expect(claimInvitation(world.deps, guest, { secret, status: 'ACCEPTED' })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({ memberCount: 2, revision: 3 });
  });

  it('only marks the invitation as claimed for a member, also after the deadline', async () => {
    const guest = await createUser(world);
    const host = await createInvitingGroup(world, [guest], { respondBy: world.clock.in(1_000) });
    const address = uniqueEmail();
    const [invitation] = await host.invite(address);
    const secret = await readMailedSecret(world, address);
    world.clock.advance(1_000);
    const { member } = await claimInvitation(world.deps, guest, { secret, status: 'ACCEPTED' });
    expect(member).toMatchObject({ userId: guest.userId, status: 'PENDING', revision: 1, respondedAt: null });
    expect(invitation && (await statusOf(invitation))).toBe('CLAIMED');
    const history = await readHistoryRows(world, host.groupId);
    expect(history.slice(3).map(({ cause, status, open_invitations: open }) => [cause, status, open])).toEqual([
      ['DEADLINE', null, 1],
      ['JOINED', 'PENDING', 0],
    ]);
    expect(await expectGroupInvariants(world, host.groupId)).toMatchObject({ memberCount: 2, requiredCount: 3 });
  });

  it('does not make a score stale when the claimer is a member', async () => {
    const guest = await createUser(world);
    const host = await createInvitingGroup(world, [guest]);
    const address = uniqueEmail();
    await host.invite(address);
    const before = await world.sql('select answers_revision from groups where id = $1', [host.groupId]);
    await claimInvitation(world.deps, guest, { secret: await readMailedSecret(world, address), status: 'PENDING' });
    expect(await world.sql('select answers_revision from groups where id = $1', [host.groupId])).toEqual(before);
  });

  it('accepts only DECLINED after the deadline, until the deadline is moved', async () => {
    const { owner, groupId, invitation, secret } = await linked(uniqueEmail(), { respondBy: world.clock.in(1_000) });
    const guest = await createUser(world);
    world.clock.advance(1_000);
    for (const status of ['PENDING', 'ACCEPTED', 'TENTATIVE'] as const) {
      await expect(claimInvitation(world.deps, guest, { secret, status })).rejects.toEqual(
        errorWithReason('RESPONSES_CLOSED'),
      );
    }
    expect(await statusOf(invitation)).toBe('OPEN');
    expect(await readInvitationCounts(world, groupId)).toMatchObject({ open: 1, revision: 2 });
    await updateGroup(world.deps, owner, { groupId, respondBy: world.clock.in(1_000) });
    expect((await claimInvitation(world.deps, guest, { secret, status: 'ACCEPTED' })).member.status).toBe('ACCEPTED');
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({ state: 'CONFIRMED' });
  });

  it('accepts DECLINED after the deadline (better-auth#7322)', async () => {
    const { groupId, secret } = await linked(uniqueEmail(), { respondBy: world.clock.in(1_000) });
    const guest = await createUser(world);
    world.clock.advance(1_000);
    expect((await claimInvitation(world.deps, guest, { secret, status: 'DECLINED' })).member.status).toBe('DECLINED');
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({
      state: 'EXPIRED',
      counts: { declined: 1, openInvitations: 0 },
    });
  });

  it('rejects an expired invitation before the expiry is recorded (milo#802)', async () => {
    const { groupId, secret } = await linked();
    const guest = await createUser(world);
    world.clock.advance(INVITATION_TTL_MS);
    for (const status of ['ACCEPTED', 'DECLINED'] as const) {
      await expect(claimInvitation(world.deps, guest, { secret, status })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
    expect(await readInvitationCounts(world, groupId)).toMatchObject({ open: 1, revision: 2 });
  });

  it('succeeds until the millisecond before the expiry', async () => {
    const { secret } = await linked();
    world.clock.advance(INVITATION_TTL_MS - 1);
    expect(
      (await claimInvitation(world.deps, await createUser(world), { secret, status: 'PENDING' })).member.status,
    ).toBe('PENDING');
  });

  it('rejects a link after renewal, revocation or cancellation', async () => {
    const guest = await createUser(world);
    const replaced = await linked();
    await replaced.invite(replaced.address);
    const revoked = await linked();
    await revokeInvitation(world.deps, revoked.owner, { invitationId: revoked.invitation.id });
    const cancelled = await linked();
    await cancelGroup(world.deps, cancelled.owner, { groupId: cancelled.groupId });
    for (const { secret } of [replaced, revoked, cancelled]) {
      await expect(claimInvitation(world.deps, guest, { secret, status: 'DECLINED' })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
  });

  it('rejects a secret of another purpose or a forged one', async () => {
    const { invitation } = await linked();
    const guest = await createUser(world);
    const { serverSecret } = world.deps;
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
      await expect(claimInvitation(world.deps, guest, { secret, status: 'PENDING' })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
  });

  it('requires an authenticated caller and exactly one of secret and invitationId', async () => {
    const { secret, invitation } = await linked();
    const guest = await createUser(world);
    await expect(claimInvitation(world.deps, ANONYMOUS, { secret, status: 'PENDING' })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(
      claimInvitation(world.deps, serviceActor(['responses:write']), { secret, status: 'PENDING' }),
    ).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
    await expect(claimInvitation(world.deps, guest, { status: 'PENDING' })).rejects.toEqual(errorWithFields('secret'));
    await expect(
      claimInvitation(world.deps, guest, { secret: null, invitationId: null, status: 'PENDING' }),
    ).rejects.toEqual(errorWithFields('secret'));
    await expect(
      claimInvitation(world.deps, guest, { secret, invitationId: invitation.id, status: 'PENDING' }),
    ).rejects.toEqual(errorWithFields('secret'));
    await expect(
      claimInvitation(world.deps, { ...guest, userId: newId() }, { secret, status: 'PENDING' }),
    ).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
  });

  it("sets no inviter when the inviter's account was deleted", async () => {
    const { secret, invitation } = await linked();
    const gone = await createUser(world);
    await world.sql('update invitation set invited_by_id = $2 where id = $1', [invitation.id, gone.userId]);
    await world.sql('delete from account where id = $1', [gone.userId]);
    expect(
      (await claimInvitation(world.deps, await createUser(world), { secret, status: 'PENDING' })).member.invitedById,
    ).toBeNull();
  });
});

describe("the proof of an address by an invitation's secret", () => {
  it("verifies the address of the claimer's account, in any case", async () => {
    const { secret, address } = await linked();
    const guest = await createUser(world);
    await assignEmail(world, guest, address.toUpperCase(), false);
    await claimInvitation(world.deps, guest, { secret, status: 'PENDING' });
    expect(await isVerified(guest.userId)).toBe(true);
  });

  it('verifies nothing when the account has another address or none', async () => {
    const [one, other] = [await linked(), await linked()];
    const [withAnother, withNone] = await createUsers(world, 2);
    await assignEmail(world, withAnother, uniqueEmail(), false);
    await claimInvitation(world.deps, withAnother, { secret: one.secret, status: 'PENDING' });
    await claimInvitation(world.deps, withNone, { secret: other.secret, status: 'PENDING' });
    expect([await isVerified(withAnother.userId), await isVerified(withNone.userId)]).toEqual([false, false]);
  });

  it('accepts the claim without taking an address that another account has verified', async () => {
    const { secret, address } = await linked();
    const holder = await createUserWithEmail(world, address);
    const guest = await createUser(world);
    await assignEmail(world, guest, address, false);
    expect((await claimInvitation(world.deps, guest, { secret, status: 'ACCEPTED' })).member.status).toBe('ACCEPTED');
    expect([await isVerified(guest.userId), await isVerified(holder.userId)]).toEqual([false, true]);
  });

  it('verifies the address for one of two concurrent claimers and accepts both claims', async () => {
    const address = uniqueEmail();
    const links = await Promise.all([linked(address), linked(address)]);
    const secrets = links.map(({ invitation }) =>
      deriveLinkSecret(world.deps.serverSecret, 'invitation', { id: invitation.id, version: 1 }),
    );
    const guests = await createUsers(world, 2);
    for (const guest of guests) await assignEmail(world, guest, address, false);
    const claims = await Promise.all(
      guests.map((guest, index) =>
        claimInvitation(world.deps, guest, { secret: secrets[index] ?? '', status: 'ACCEPTED' }),
      ),
    );
    expect(claims.map(({ member }) => member.status)).toEqual(['ACCEPTED', 'ACCEPTED']);
    const verified = await Promise.all(guests.map(({ userId }) => isVerified(userId)));
    expect(verified.filter(Boolean)).toHaveLength(1);
  });

  it('verifies nothing when the claim fails', async () => {
    const { secret, address } = await linked(uniqueEmail(), { respondBy: world.clock.in(1_000) });
    const guest = await createUser(world);
    await assignEmail(world, guest, address, false);
    world.clock.advance(1_000);
    await expect(claimInvitation(world.deps, guest, { secret, status: 'ACCEPTED' })).rejects.toEqual(
      errorWithReason('RESPONSES_CLOSED'),
    );
    expect(await isVerified(guest.userId)).toBe(false);
  });
});

describe('claimInvitation by id', () => {
  it('takes the verified address that was invited, in any spelling (solidtime#1172)', async () => {
    const { groupId, invitation, address } = await linked(`ZOE-${uniqueEmail()}`);
    const zoe = await createUserWithEmail(world, address.toLowerCase());
    const { nodes } = await listInbox(world.deps, zoe.userId, { first: 10 });
    expect(nodes.map(({ id }) => id)).toEqual([invitation.id]);
    const { member } = await claimInvitation(world.deps, zoe, { invitationId: invitation.id, status: 'PENDING' });
    expect(member).toMatchObject({ userId: zoe.userId, status: 'PENDING' });
    expect((await listInbox(world.deps, zoe.userId, { first: 10 })).totalCount).toBe(0);
    expect(await expectGroupInvariants(world, groupId)).toMatchObject({
      memberCount: 2,
      counts: { pending: 1, openInvitations: 0 },
    });
  });

  it('succeeds when the link was replaced', async () => {
    const { invite, invitation, address } = await linked();
    await invite(address);
    const guest = await createUserWithEmail(world, address);
    expect(
      (await claimInvitation(world.deps, guest, { invitationId: invitation.id, status: 'DECLINED' })).member.status,
    ).toBe('DECLINED');
  });

  it("throws INVITATION_NOT_FOUND for unverified addresses, other addresses and the group's owner", async () => {
    const { owner, invitation, address } = await linked();
    const [nobodys, unverified] = await createUsers(world, 2);
    await assignEmail(world, unverified, address, false);
    const verified = await createUserWithEmail(world);
    for (const invitationId of [invitation.id, newId()]) {
      for (const caller of [nobodys, unverified, verified, owner]) {
        await expect(claimInvitation(world.deps, caller, { invitationId, status: 'ACCEPTED' })).rejects.toEqual(
          errorWithReason('INVITATION_NOT_FOUND'),
        );
      }
    }
    expect(await statusOf(invitation)).toBe('OPEN');
  });

  it('rejects an expired or revoked invitation', async () => {
    const [expired, revoked] = [await linked(), await linked()];
    const late = await createUserWithEmail(world, expired.address);
    const unwanted = await createUserWithEmail(world, revoked.address);
    await revokeInvitation(world.deps, revoked.owner, { invitationId: revoked.invitation.id });
    await expect(
      claimInvitation(world.deps, unwanted, { invitationId: revoked.invitation.id, status: 'PENDING' }),
    ).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    world.clock.advance(INVITATION_TTL_MS);
    await expect(
      claimInvitation(world.deps, late, { invitationId: expired.invitation.id, status: 'DECLINED' }),
    ).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    expect((await listInbox(world.deps, late.userId, { first: 10 })).nodes).toEqual([]);
  });
});
