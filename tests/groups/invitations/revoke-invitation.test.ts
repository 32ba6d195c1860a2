import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/accounts/index.js';
import { cancelGroup, claimInvitation, inviteToGroup, revokeInvitation } from '../../../src/groups/index.js';
import { errorWithReason } from '../../support/error-matchers.js';
import { runDueTasks } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { ANONYMOUS, createAdmin, createUser, serviceActor } from '../../support/groups/groups-fixture.js';
import {
  createInvitingGroup,
  INVITATION_TTL_MS,
  readInvitationCounts,
  readMailedSecret,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

async function invited() {
  const host = await createInvitingGroup(fixture);
  const address = uniqueEmail();
  const [invitation] = await host.invite(address);
  return { ...host, address, invitationId: invitation?.id ?? '' };
}

describe('revokeInvitation', () => {
  it('revokes the invitation in one revision of the caller and updates the state', async () => {
    const { owner, groupId, invitationId } = await invited();
    const { group } = await revokeInvitation(fixture.deps, owner, { invitationId });
    expect(group).toMatchObject({
      revision: 3,
      counts: { openInvitations: 0, lapsedInvitations: 0 },
      requiredCount: 2,
      state: 'FORMING',
    });
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      cause: 'INVITATION_REVOKED',
      actor_id: owner.userId,
      subject_id: null,
      status: null,
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('changes nothing when the invitation is revoked already', async () => {
    const { owner, groupId, invitationId } = await invited();
    await Promise.all(Array.from({ length: 5 }, () => revokeInvitation(fixture.deps, owner, { invitationId })));
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 0, revision: 3 });
  });

  it('removes an expired invitation from the counts', async () => {
    const { owner, groupId, invitationId } = await invited();
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    const { group } = await revokeInvitation(fixture.deps, owner, { invitationId });
    expect(group).toMatchObject({
      counts: { openInvitations: 0, lapsedInvitations: 0 },
      revision: 4,
      state: 'FORMING',
    });
    await expectGroupInvariants(fixture, groupId);
  });

  it('allows the address to be invited again', async () => {
    const { owner, groupId, invitationId, address, invite } = await invited();
    await revokeInvitation(fixture.deps, owner, { invitationId });
    const [anew] = await invite(address);
    expect(anew?.id).not.toBe(invitationId);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, revision: 4 });
  });

  it('prevents a pending mail', async () => {
    const { owner, invitationId, address } = await invited();
    await revokeInvitation(fixture.deps, owner, { invitationId });
    await runDueTasks(fixture);
    expect(fixture.mailer.sent.filter(({ to }) => to === address)).toEqual([]);
  });

  it('throws INVITATION_NOT_FOUND after a claim or a decline', async () => {
    const [one, other] = [await invited(), await invited()];
    await claimInvitation(fixture.deps, await createUser(fixture), {
      secret: await readMailedSecret(fixture, one.address),
      status: 'PENDING',
    });
    await claimInvitation(fixture.deps, await createUser(fixture), {
      secret: await readMailedSecret(fixture, other.address),
      status: 'DECLINED',
    });
    for (const { owner, invitationId } of [one, other]) {
      await expect(revokeInvitation(fixture.deps, owner, { invitationId })).rejects.toEqual(
        errorWithReason('INVITATION_NOT_FOUND'),
      );
    }
  });

  it('allows only owners and administrators, and throws INVITATION_NOT_FOUND for non-members', async () => {
    const { owner, groupId, invitationId } = await invited();
    const [guest, stranger] = [await createUser(fixture), await createUser(fixture)];
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: guest.userId }] });
    await expect(revokeInvitation(fixture.deps, ANONYMOUS, { invitationId })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(revokeInvitation(fixture.deps, stranger, { invitationId })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    await expect(revokeInvitation(fixture.deps, owner, { invitationId: newId() })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    await expect(
      revokeInvitation(fixture.deps, serviceActor(['groups:read'], [newId()]), { invitationId }),
    ).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    await expect(revokeInvitation(fixture.deps, guest, { invitationId })).rejects.toEqual(
      errorWithReason('OWNER_REQUIRED'),
    );
    await expect(revokeInvitation(fixture.deps, serviceActor(['groups:read']), { invitationId })).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
    const other = await createInvitingGroup(fixture);
    await expect(revokeInvitation(fixture.deps, other.owner, { invitationId })).rejects.toEqual(
      errorWithReason('INVITATION_NOT_FOUND'),
    );
    expect(
      (await revokeInvitation(fixture.deps, await createAdmin(fixture), { invitationId })).group.counts.openInvitations,
    ).toBe(0);
  });
});

describe('cancelGroup', () => {
  it('revokes open invitations in one revision and keeps expired ones', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const [lapsing] = await invite(uniqueEmail());
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    const open = await invite(uniqueEmail(), uniqueEmail());
    const { group } = await cancelGroup(fixture.deps, owner, { groupId });
    expect(group).toMatchObject({
      revision: 6,
      state: 'CANCELLED',
      counts: { openInvitations: 0, lapsedInvitations: 1 },
    });
    expect(
      await fixture.sql('select id, status from invitation where group_id = $1 order by created_at, id', [groupId]),
    ).toEqual([{ id: lapsing?.id, status: 'LAPSED' }, ...open.map(({ id }) => ({ id, status: 'REVOKED' }))]);
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ revision: 6 });
  });
});
