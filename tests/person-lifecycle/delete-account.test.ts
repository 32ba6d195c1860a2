import { describe, expect, it } from '@jest/globals';
import { newId, type UserActor } from '../../src/accounts/index.js';
import {
  cancelGroup,
  changeMemberRole,
  claimInvitation,
  createGroup,
  getGroup,
  inviteToGroup,
  listHistory,
  recordCompatibilityScore,
  updateMemberStatus,
} from '../../src/groups/index.js';
import { ERASE_ACCOUNT_TASK } from '../../src/person-lifecycle/index.js';
import { countStatements } from '../support/database/count-statements.js';
import { errorWithReason } from '../support/error-matchers.js';
import {
  createDeletionFixture,
  previewDeletion,
  SHARED_PASSWORD_HASHER,
  type DeletionFixture,
} from '../support/groups/deletion-fixture.js';
import { runDueTasks } from '../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../support/groups/group-invariants.js';
import {
  ANONYMOUS,
  createAdmin,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  createUserWithEmail,
  inviteAddresses,
  readInvitationCounts,
  readMailedSecret,
  uniqueEmail,
} from '../support/groups/invitation-fixture.js';
import { useDeletionFixture } from '../support/groups/use-groups-fixture.js';

const { fixture, deletion } = useDeletionFixture();

function response(groupId: string, member: UserActor, status: 'ACCEPTED' | 'DECLINED' | 'TENTATIVE') {
  return updateMemberStatus(fixture.deps, member, { groupId, userId: member.userId, status });
}

async function exists(table: string, id: string): Promise<boolean> {
  return (await fixture.sql(`select 1 from ${table} where id = $1`, [id])).length > 0;
}

describe('deleteAccount', () => {
  it('removes the account from its groups and updates counts, states and scores (sentry#2527)', async () => {
    const [owner, leaver, other] = await createUsers(fixture, 3);
    const groupIds = [
      await createGroupWithMembers(fixture, owner, [leaver], { quorum: 2 }),
      await createGroupWithMembers(fixture, owner, [leaver, other], { quorum: 2 }),
      await createGroupWithMembers(fixture, owner, [leaver, other]),
    ];
    for (const groupId of groupIds) await response(groupId, leaver, 'ACCEPTED');
    await response(groupIds[2]!, other, 'ACCEPTED');
    await recordCompatibilityScore(fixture.deps, serviceActor(['scores:write']), {
      groupId: groupIds[0]!,
      value: 7,
      source: 'x',
    });
    expect(await deletion.delete(leaver)).toEqual({ deletedUserId: leaver.userId });
    const groups = await Promise.all(groupIds.map((groupId) => expectGroupInvariants(fixture, groupId)));
    expect(groups.map(({ state, acceptedCount, memberCount }) => [state, acceptedCount, memberCount])).toEqual([
      ['FORMING', 1, 1],
      ['FORMING', 1, 2],
      ['CONFIRMED', 2, 2],
    ]);
    expect((await getGroup(fixture.deps, owner, groupIds[0]!)).compatibilityScore).toMatchObject({
      value: 7,
      stale: true,
    });
  });

  it('keeps an anonymous revision in the history', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [leaver]);
    await response(groupId, leaver, 'ACCEPTED');
    await deletion.delete(leaver);
    expect(
      (await readHistoryRows(fixture, groupId)).map(({ cause, actor_id: actor, subject_id: subject, status }) => [
        cause,
        actor,
        subject,
        status,
      ]),
    ).toEqual([
      ['CREATED', owner.userId, owner.userId, 'ACCEPTED'],
      ['INVITED', owner.userId, null, 'PENDING'],
      ['RESPONSE', null, null, 'ACCEPTED'],
      ['ACCOUNT_DELETED', null, null, null],
    ]);
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      state_before: 'CONFIRMED',
      state_after: 'FORMING',
      accepted_count: 1,
    });
    const { nodes } = await listHistory(fixture.deps, owner, await getGroup(fixture.deps, owner, groupId), {
      first: 10,
      stateChangesOnly: false,
    });
    expect(nodes).toHaveLength(4);
  });

  it('records a passed deadline first', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [leaver], { respondBy: fixture.clock.in(1_000) });
    fixture.clock.advance(2_000);
    await deletion.delete(leaver);
    expect(
      (await readHistoryRows(fixture, groupId)).slice(2).map(({ cause, state_after: after }) => [cause, after]),
    ).toEqual([
      ['DEADLINE', 'EXPIRED'],
      ['ACCOUNT_DELETED', 'EXPIRED'],
    ]);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ requiredCount: 2, requiredAtDeadline: 2 });
  });

  it('deletes groups without other members', async () => {
    const owner = await createUserWithEmail(fixture);
    const groupId = await createGroupWithMembers(fixture, owner);
    const cancelled = await createGroupWithMembers(fixture, owner);
    await cancelGroup(fixture.deps, owner, { groupId: cancelled });
    await inviteAddresses(fixture, owner, groupId, [uniqueEmail()]);
    await recordCompatibilityScore(fixture.deps, serviceActor(['scores:write']), { groupId, value: 7, source: 'x' });
    await deletion.delete(owner);
    for (const table of ['group_change', 'compatibility_score', 'invitation', 'member']) {
      expect(await fixture.sql(`select 1 from ${table} where group_id = any($1)`, [[groupId, cancelled]])).toEqual([]);
    }
    expect(await exists('groups', groupId)).toBe(false);
    expect(await exists('groups', cancelled)).toBe(false);
  });

  it('rejects and changes nothing while a group with other members has no other owner (bitwarden#411)', async () => {
    const [owner, guest, other] = await createUsers(fixture, 3);
    const blocking = await createGroupWithMembers(fixture, owner, [guest]);
    const joined = await createGroupWithMembers(fixture, other, [owner]);
    const own = await createGroupWithMembers(fixture, owner);
    await expect(deletion.delete(owner)).rejects.toEqual(errorWithReason('SOLE_OWNER_OF_GROUPS'));
    expect(await expectGroupInvariants(fixture, blocking)).toMatchObject({ memberCount: 2, revision: 2 });
    expect(await expectGroupInvariants(fixture, joined)).toMatchObject({ memberCount: 2, revision: 2 });
    expect(await exists('groups', own)).toBe(true);
    expect(await exists('account', owner.userId)).toBe(true);
    await changeMemberRole(fixture.deps, owner, { groupId: blocking, userId: guest.userId, role: 'OWNER' });
    await deletion.delete(owner);
    expect(await expectGroupInvariants(fixture, blocking)).toMatchObject({ memberCount: 1 });
  });

  it('makes the longest-standing member owner of a cancelled group', async () => {
    const [owner, first, second] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [second]);
    fixture.clock.advance(1);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: first.userId }] });
    await cancelGroup(fixture.deps, owner, { groupId });
    await deletion.delete(owner);
    const group = await expectGroupInvariants(fixture, groupId);
    expect(group).toMatchObject({ state: 'CANCELLED', memberCount: 2, acceptedCount: 0 });
    expect(
      await fixture.sql('select user_id, role, revision from member where group_id = $1 order by role', [groupId]),
    ).toEqual([
      { user_id: first.userId, role: 'MEMBER', revision: 1 },
      { user_id: second.userId, role: 'OWNER', revision: 2 },
    ]);
    expect(
      (await readHistoryRows(fixture, groupId)).slice(-2).map(({ cause, subject_id: subject }) => [cause, subject]),
    ).toEqual([
      ['ROLE_CHANGED', second.userId],
      ['ACCOUNT_DELETED', null],
    ]);
    await deletion.delete(second);
    await deletion.delete(first);
    expect(await exists('groups', groupId)).toBe(false);
  });

  it('keeps sent invitations claimable, without an inviter', async () => {
    const { owner, groupId } = await createInvitingGroup(fixture);
    const leaver = await createUserWithEmail(fixture);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: leaver.userId }] });
    await changeMemberRole(fixture.deps, owner, { groupId, userId: leaver.userId, role: 'OWNER' });
    const address = uniqueEmail();
    await inviteAddresses(fixture, leaver, groupId, [address]);
    const secret = await readMailedSecret(fixture, address);
    await deletion.delete(leaver);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1 });
    const { member } = await claimInvitation(fixture.deps, await createUser(fixture), { secret, status: 'ACCEPTED' });
    expect(member).toMatchObject({ invitedById: null, status: 'ACCEPTED' });
    await expectGroupInvariants(fixture, groupId);
  });

  it('revokes unanswered invitations to its verified address and deletes answered ones', async () => {
    const { groupId, invite } = await createInvitingGroup(fixture);
    const other = await createInvitingGroup(fixture);
    const address = uniqueEmail();
    const [leaver, stranger] = [await createUserWithEmail(fixture, address), await createUser(fixture)];
    await assignEmail(fixture, stranger, address, false);
    await invite(address, uniqueEmail());
    await other.invite(address);
    await claimInvitation(fixture.deps, leaver, {
      secret: await readMailedSecret(fixture, address),
      status: 'DECLINED',
    });
    await deletion.delete(leaver);
    expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1, lapsed: 0 });
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      cause: 'INVITATION_REVOKED',
      actor_id: null,
      subject_id: null,
    });
    for (const table of ['invitation', 'invitation_mail'])
      expect(await fixture.sql(`select 1 from ${table} where email_key = $1`, [address])).toEqual([]);
    await expectGroupInvariants(fixture, groupId);
    await expectGroupInvariants(fixture, other.groupId);
  });

  it('keeps invitations to an unverified address', async () => {
    const address = uniqueEmail();
    const leaver = await createUser(fixture);
    await assignEmail(fixture, leaver, address, false);
    const [joined, other] = [await createInvitingGroup(fixture, [leaver]), await createInvitingGroup(fixture)];
    for (const { invite } of [joined, other]) await invite(address);
    await deletion.delete(leaver);
    for (const { groupId } of [joined, other])
      expect(await readInvitationCounts(fixture, groupId)).toMatchObject({ open: 1 });
  });

  it('revokes its sessions and frees its username', async () => {
    const leaver = await createUser(fixture, 'Ada.Lovelace');
    const sessionId = newId();
    const now = fixture.clock.now();
    await fixture.sql(
      'insert into session (id, user_id, created_at, rotated_at, expires_at) values ($1, $2, $3, $3, $4)',
      [sessionId, leaver.userId, now, fixture.clock.in(60_000)],
    );
    expect(await deletion.revocations.isRevoked(sessionId)).toBe(false);
    await deletion.delete(leaver);
    expect(await deletion.revocations.isRevoked(sessionId)).toBe(true);
    expect((await createUser(fixture, 'ADA.lovelace')).userId).not.toBe(leaver.userId);
  });

  it("requires the caller's password", async () => {
    const leaver = await createUser(fixture);
    await expect(deletion.delete(leaver, 'another')).rejects.toEqual(errorWithReason('WRONG_CREDENTIALS'));
    expect(await exists('account', leaver.userId)).toBe(true);
    await deletion.delete(leaver);
    await expect(deletion.delete(leaver)).rejects.toEqual(errorWithReason('TOKEN_REVOKED'));
    await expect(deletion.delete(ANONYMOUS)).rejects.toEqual(errorWithReason('TOKEN_MISSING'));
    await expect(deletion.delete(serviceActor(['groups:read']))).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
  });

  it('verifies the password again when it was replaced during the verification', async () => {
    const [leaver, other] = await createUsers(fixture, 2);
    const replaceDuring = (actor: UserActor, isRight: (hash: string | null) => boolean): DeletionFixture =>
      createDeletionFixture(fixture, {
        ...SHARED_PASSWORD_HASHER,
        verify: async (hash) => {
          await fixture.sql(`update account set password_hash = 'replaced' where id = $1`, [actor.userId]);
          return isRight(hash);
        },
      });
    await expect(replaceDuring(leaver, (hash) => hash === 'none').delete(leaver)).rejects.toEqual(
      errorWithReason('WRONG_CREDENTIALS'),
    );
    expect(await exists('account', leaver.userId)).toBe(true);
    // A login may have hashed the same password anew.
    await replaceDuring(other, () => true).delete(other);
    expect(await exists('account', other.userId)).toBe(false);
  });

  it('runs as many statements for a member of 200 groups as for a member of ten', async () => {
    const [few, many] = await createUsers(fixture, 2);
    const hosts = await createUsers(fixture, 5);
    // One group of each host at a time: more would wait for a connection longer than the pool allows.
    const join = async (leaver: UserActor, count: number): Promise<string[]> => {
      const joined: string[] = [];
      while (joined.length < count)
        joined.push(...(await Promise.all(hosts.map((host) => createGroupWithMembers(fixture, host, [leaver])))));
      return joined;
    };
    await join(few, 10);
    const groupIds = await join(many, 200);
    const { statements } = await countStatements(() => deletion.request(few));
    expect((await countStatements(() => deletion.request(many))).statements).toBe(statements);
    expect(statements).toBeLessThan(40);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    await expectGroupInvariants(fixture, groupIds[0]!);
    await expectGroupInvariants(fixture, groupIds[199]!);
    expect(
      await fixture.sql('select 1 from groups where id = any($1) and (pending_count <> 0 or revision <> 3)', [
        groupIds,
      ]),
    ).toEqual([]);
  });

  it('has the effects of its preview', async () => {
    const [owner, other] = await createUsers(fixture, 2);
    const leaver = await createUserWithEmail(fixture);
    const groupIds = [
      await createGroupWithMembers(fixture, owner, [leaver]),
      await createGroupWithMembers(fixture, owner, [leaver, other], { quorum: 2 }),
      await createGroupWithMembers(fixture, owner, [leaver], { respondBy: fixture.clock.in(1) }),
    ];
    await response(groupIds[0]!, leaver, 'ACCEPTED');
    await response(groupIds[1]!, leaver, 'DECLINED');
    const inviting = await createInvitingGroup(fixture);
    const [row] = await fixture.sql<{ email: string }>('select email from account where id = $1', [leaver.userId]);
    await inviting.invite(row?.email ?? '');
    fixture.clock.advance(2);
    const { changingGroups } = await previewDeletion(fixture, leaver, leaver.userId);
    await deletion.delete(leaver);
    const after = await Promise.all(
      changingGroups.map(async ({ group }) => [group.id, (await expectGroupInvariants(fixture, group.id)).state]),
    );
    expect(changingGroups.map((change) => [change.group.id, change.after])).toEqual(after);
    expect(after).toHaveLength(4);
  });

  it('deletes administrators and removes their name from audit events', async () => {
    const root = await createAdmin(fixture);
    const owner = await createUser(fixture);
    const { group } = await createGroup(fixture.deps, owner, { name: 'Choir' });
    await inviteToGroup(fixture.deps, root, {
      groupId: group.id,
      invitees: [{ userId: (await createUser(fixture)).userId }],
    });
    await deletion.delete(root);
    expect((await readHistoryRows(fixture, group.id)).at(-1)).toMatchObject({ cause: 'INVITED', actor_id: null });
    expect(
      await fixture.sql('select 1 from member where group_id = $1 and invited_by_id is not null', [group.id]),
    ).toEqual([]);
    await expectGroupInvariants(fixture, group.id);
  });
});
