import { describe, expect, it } from '@jest/globals';
import { deriveLinkSecret } from '../../../src/accounts/index.js';
import { inTransaction } from '../../../src/database/index.js';
import { DomainError } from '../../../src/errors/index.js';
import {
  cancelGroup,
  claimInvitation,
  expireInvitation,
  revokeInvitation,
  updateMemberStatus,
} from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { createUser, createUsers } from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  INVITATION_TTL_MS,
  inviteAddresses,
  readInvitationCounts,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const ROUNDS = 8;

const fixture = useGroupsFixture();

async function linked() {
  const host = await createInvitingGroup(fixture);
  const address = uniqueEmail();
  const [invitation] = await host.invite(address);
  const invitationId = invitation?.id ?? '';
  return {
    ...host,
    address,
    invitationId,
    secret: deriveLinkSecret(fixture.deps.serverSecret, 'invitation', { id: invitationId, version: 1 }),
  };
}

/** How many succeeded; whatever failed was refused by a rule. */
async function successes(work: readonly Promise<unknown>[]): Promise<boolean[]> {
  const settled = await Promise.allSettled(work);
  for (const outcome of settled) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DomainError);
  return settled.map(({ status }) => status === 'fulfilled');
}

async function invitationStatus(id: string): Promise<string | undefined> {
  return (await fixture.sql<{ status: string }>('select status from invitation where id = $1', [id]))[0]?.status;
}

describe('concurrent changes of invitations', () => {
  it('create one membership for many claims by one user (otari#668)', async () => {
    const { groupId, secret } = await linked();
    const guest = await createUser(fixture);
    const claims = await Promise.allSettled(
      Array.from({ length: 20 }, () => claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' })),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const claim of claims)
      if (claim.status === 'rejected') expect(claim.reason).toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 2,
      acceptedCount: 2,
      revision: 3,
    });
  });

  it("accept one of several users' claims", async () => {
    const { groupId, secret } = await linked();
    const guests = await createUsers(fixture, 12);
    const won = await successes(
      guests.map((guest) => claimInvitation(fixture.deps, guest, { secret, status: 'PENDING' })),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 2,
      counts: { pending: 1, openInvitations: 0 },
    });
  });

  it('create one membership for a claim by link and one from the inbox', async () => {
    const { groupId, secret, invitationId, address } = await linked();
    const guest = await createUser(fixture);
    await assignEmail(fixture, guest, address);
    const won = await successes([
      claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' }),
      claimInvitation(fixture.deps, guest, { invitationId, status: 'DECLINED' }),
    ]);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, revision: 3 });
  });

  it('accept either a claim or a revocation', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, groupId, secret, invitationId } = await linked();
      const guest = await createUser(fixture);
      const [claimed, revoked] = await successes([
        claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' }),
        revokeInvitation(fixture.deps, owner, { invitationId }),
      ]);
      expect(claimed).toBe(!revoked);
      expect(await invitationStatus(invitationId)).toBe(revoked === true ? 'REVOKED' : 'CLAIMED');
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
        memberCount: revoked === true ? 1 : 2,
        revision: 3,
        counts: { openInvitations: 0 },
      });
    }
  });

  it('leave no open invitation after a claim and a cancellation', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, groupId, secret, invitationId } = await linked();
      const [claimed, cancelled] = await successes([
        claimInvitation(fixture.deps, await createUser(fixture), { secret, status: 'PENDING' }),
        cancelGroup(fixture.deps, owner, { groupId }),
      ]);
      expect(cancelled).toBe(true);
      expect(await invitationStatus(invitationId)).toBe(claimed === true ? 'CLAIMED' : 'REVOKED');
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
        state: 'CANCELLED',
        memberCount: claimed === true ? 2 : 1,
        counts: { openInvitations: 0 },
      });
    }
  });

  it('reject a claim after the expiry, which is recorded once', async () => {
    const { groupId, secret, invitationId } = await linked();
    const guest = await createUser(fixture);
    fixture.clock.advance(INVITATION_TTL_MS);
    const expire = () =>
      fixture.deps.writeQueue.runTask(groupId, (turn) =>
        inTransaction(fixture.deps.database, (em) => expireInvitation(em, turn, fixture.clock, invitationId)),
      );
    const [expired, again, claimed] = await Promise.all([
      expire(),
      expire(),
      claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' }).catch((error: unknown) => error),
    ]);
    expect([expired, again].toSorted()).toEqual(['DONE', 'SKIPPED']);
    expect(claimed).toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 0, lapsed: 1, revision: 3 });
  });

  it('create one invitation per address, whose last link is valid', async () => {
    const { owner, groupId } = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    const invitations = await Promise.all(
      Array.from({ length: 5 }, () => inviteAddresses(fixture, owner, groupId, [address])),
    );
    expect(new Set(invitations.flat().map(({ id }) => id)).size).toBe(1);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 2 });
    const secret = deriveLinkSecret(fixture.deps.serverSecret, 'invitation', {
      id: invitations[0]?.[0]?.id ?? '',
      version: 5,
    });
    await claimInvitation(fixture.deps, await createUser(fixture), { secret, status: 'ACCEPTED' });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, state: 'CONFIRMED' });
  });

  it('count all claims and responses', async () => {
    const members = await createUsers(fixture, 6);
    const { groupId, invite } = await createInvitingGroup(fixture, members);
    const invitations = await invite(...Array.from({ length: 12 }, uniqueEmail));
    const guests = await createUsers(fixture, invitations.length);
    await Promise.all([
      ...invitations.map(({ id }, index) =>
        claimInvitation(fixture.deps, guests[index] ?? guests[0], {
          secret: deriveLinkSecret(fixture.deps.serverSecret, 'invitation', { id, version: 1 }),
          status: index % 3 === 0 ? 'DECLINED' : 'ACCEPTED',
        }),
      ),
      ...members.map((member) =>
        updateMemberStatus(fixture.deps, member, { groupId, userId: member.userId, status: 'ACCEPTED' }),
      ),
    ]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 19,
      acceptedCount: 15,
      counts: { declined: 4, openInvitations: 0 },
    });
    expect((await readHistoryRows(fixture, groupId)).filter(({ cause }) => cause === 'JOINED')).toHaveLength(8);
  });
});
