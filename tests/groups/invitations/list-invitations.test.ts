import { describe, expect, it } from '@jest/globals';
import type { Actor } from '../../../src/accounts/index.js';
import {
  getGroup,
  inviteToGroup,
  listGroupInvitations,
  listInbox,
  previewInvitation,
  revokeInvitation,
  type InvitationView,
} from '../../../src/groups/index.js';
import type { ConnectionPage } from '../../../src/paging/index.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { runDueTasks } from '../../support/groups/due-tasks.js';
import { ANONYMOUS, createAdmin, createUser, serviceActor } from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  createUserWithEmail,
  INVITATION_TTL_MS,
  readMailedSecret,
  uniqueEmail,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

async function ofGroup(
  actor: Actor,
  groupId: string,
  request: { first: number; after?: string | null } = { first: 100 },
) {
  return listGroupInvitations(fixture.deps, actor, await getGroup(fixture.deps, actor, groupId), request);
}

/** All pages of a list, and the total that each of them gave. */
async function walk(
  page: (after: string | null) => Promise<ConnectionPage<InvitationView> | null>,
): Promise<{ ids: string[]; totals: Set<number> }> {
  const ids: string[] = [];
  const totals = new Set<number>();
  for (let after: string | null = null; ;) {
    const found: ConnectionPage<InvitationView> | null = await page(after);
    if (found === null) throw new Error('the list is hidden');
    ids.push(...found.nodes.map(({ id }) => id));
    totals.add(found.totalCount);
    if (!found.pageInfo.hasNextPage) return { ids, totals };
    after = found.pageInfo.endCursor;
  }
}

describe('listGroupInvitations', () => {
  it('returns null unless the caller is an owner or administrator', async () => {
    const guest = await createUser(fixture);
    const { owner, groupId, invite } = await createInvitingGroup(fixture, [guest]);
    await invite(uniqueEmail());
    expect((await ofGroup(owner, groupId))?.totalCount).toBe(1);
    expect((await ofGroup(await createAdmin(fixture), groupId))?.totalCount).toBe(1);
    expect(await ofGroup(guest, groupId)).toBeNull();
    expect(await ofGroup(serviceActor(['groups:read']), groupId)).toBeNull();
    await fixture.sql(`update member set role = 'OWNER' where group_id = $1 and user_id = $2`, [groupId, guest.userId]);
    expect((await ofGroup(guest, groupId))?.totalCount).toBe(1);
    const group = await getGroup(fixture.deps, owner, groupId);
    await expect(listGroupInvitations(fixture.deps, ANONYMOUS, group, { first: 1 })).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
  });

  it('returns unanswered invitations including expired ones, oldest first, in pages', async () => {
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const lapsing = await invite(uniqueEmail(), uniqueEmail());
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    const open = await invite(...Array.from({ length: 5 }, uniqueEmail));
    const revoked = open[2];
    await revokeInvitation(fixture.deps, owner, { invitationId: revoked?.id ?? '' });
    const expected = [...lapsing, ...open].filter((invitation) => invitation !== revoked).map(({ id }) => id);
    for (const first of [1, 2, 3, 6, 100]) {
      expect(await walk((after) => ofGroup(owner, groupId, { first, after }))).toEqual({
        ids: expected,
        totals: new Set([6]),
      });
    }
    const last = (await ofGroup(owner, groupId))?.pageInfo.endCursor ?? '';
    expect(await ofGroup(owner, groupId, { first: 1, after: last })).toMatchObject({ nodes: [], totalCount: 6 });
    await expect(ofGroup(owner, groupId, { first: 0 })).rejects.toEqual(errorWithFields('first'));
    await expect(ofGroup(owner, groupId, { first: 1, after: 'bm90IGEgY3Vyc29y' })).rejects.toEqual(
      errorWithFields('after'),
    );
  });
});

describe('listInbox', () => {
  it('returns open invitations of all groups to the verified address, oldest first, in pages', async () => {
    const address = uniqueEmail();
    const guest = await createUserWithEmail(fixture, address.toUpperCase());
    const hosts = await Promise.all(Array.from({ length: 7 }, () => createInvitingGroup(fixture)));
    const invitations: InvitationView[] = [];
    for (const { invite } of hosts) {
      invitations.push(...(await invite(address, uniqueEmail())));
      fixture.clock.advance(1);
    }
    const ids = invitations.filter(({ email }) => email === address).map(({ id }) => id);
    for (const first of [1, 3, 7, 100]) {
      expect(await walk((after) => listInbox(fixture.deps, guest.userId, { first, after }))).toEqual({
        ids,
        totals: new Set([7]),
      });
    }
    const { pageInfo } = await listInbox(fixture.deps, guest.userId, { first: 7 });
    expect(await listInbox(fixture.deps, guest.userId, { first: 7, after: pageInfo.endCursor })).toMatchObject({
      nodes: [],
      totalCount: 7,
    });
    await expect(listInbox(fixture.deps, guest.userId, { first: 1_001 })).rejects.toEqual(errorWithFields('first'));
  });

  it('is empty without a verified address', async () => {
    const address = uniqueEmail();
    const { invite } = await createInvitingGroup(fixture);
    await invite(address);
    const guest = await createUser(fixture);
    expect(await listInbox(fixture.deps, guest.userId, { first: 1 })).toMatchObject({ nodes: [], totalCount: 0 });
    await assignEmail(fixture, guest, address, false);
    expect(await listInbox(fixture.deps, guest.userId, { first: 1 })).toMatchObject({ nodes: [], totalCount: 0 });
    await assignEmail(fixture, guest, address);
    expect(await listInbox(fixture.deps, guest.userId, { first: 1 })).toMatchObject({ totalCount: 1 });
  });

  it('omits expired invitations before the expiry is recorded', async () => {
    const address = uniqueEmail();
    const guest = await createUserWithEmail(fixture, address);
    const { invite } = await createInvitingGroup(fixture);
    await invite(address);
    fixture.clock.advance(INVITATION_TTL_MS - 1);
    expect((await listInbox(fixture.deps, guest.userId, { first: 1 })).totalCount).toBe(1);
    fixture.clock.advance(1);
    expect((await listInbox(fixture.deps, guest.userId, { first: 1 })).totalCount).toBe(0);
  });
});

describe('previewInvitation', () => {
  it('returns the invitation for its secret and changes nothing', async () => {
    const address = uniqueEmail();
    const { owner, invite } = await createInvitingGroup(fixture, [], { name: 'Choir' });
    await invite(address);
    const secret = await readMailedSecret(fixture, address);
    const [before] = await fixture.sql(
      'select i.*, g.revision from invitation i join groups g on g.id = i.group_id where i.email = $1',
      [address],
    );
    const [account] = await fixture.sql<{ username: string }>('select username from account where id = $1', [
      owner.userId,
    ]);
    for (const _ of [1, 2, 3]) {
      expect(await previewInvitation(fixture.deps, secret)).toEqual({
        groupName: 'Choir',
        invitedBy: account?.username,
        expiresAt: fixture.clock.in(INVITATION_TTL_MS),
      });
    }
    expect(
      await fixture.sql(
        'select i.*, g.revision from invitation i join groups g on g.id = i.group_id where i.email = $1',
        [address],
      ),
    ).toEqual([before]);
    await fixture.sql(`update account set display_name = 'Ada <b>' where id = $1`, [owner.userId]);
    expect((await previewInvitation(fixture.deps, secret)).invitedBy).toBe('Ada <b>');
  });

  it('throws INVITATION_NOT_FOUND for an invalid secret', async () => {
    const address = uniqueEmail();
    const { owner, groupId, invite } = await createInvitingGroup(fixture);
    const [invitation] = await invite(address);
    const secret = await readMailedSecret(fixture, address);
    for (const made of ['', 'x', '\0', invitation?.id ?? '', 'a'.repeat(50_000)]) {
      await expect(previewInvitation(fixture.deps, made)).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    }
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ email: address }] });
    await expect(previewInvitation(fixture.deps, secret)).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    const newer = await readMailedSecret(fixture, address);
    await expect(previewInvitation(fixture.deps, newer)).resolves.toBeDefined();
    fixture.clock.advance(INVITATION_TTL_MS);
    await expect(previewInvitation(fixture.deps, newer)).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
  });
});
