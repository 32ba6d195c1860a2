import { describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import ormConfig from '../../../mikro-orm.config.js';
import { deriveLinkSecret, type UserActor } from '../../../src/accounts/index.js';
import { migrate } from '../../../src/database/index.js';
import {
  claimInvitation,
  inviteToGroup,
  leaveGroup,
  updateGroup,
  updateMemberStatus,
} from '../../../src/groups/index.js';
import { runDueTasks } from '../../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../../support/groups/group-invariants.js';
import { createAdmin, createUser, createUsers } from '../../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  createUserWithEmail,
  INVITATION_TTL_MS,
  uniqueEmail,
  verifyUserEmail,
  type InvitingGroup,
} from '../../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

/** Invites people and addresses in one call, and gives their outcomes. */
async function invite({ owner, groupId }: InvitingGroup, ...invitees: readonly (UserActor | string)[]) {
  const named = invitees.map((invitee) =>
    typeof invitee === 'string' ? { email: invitee } : { userId: invitee.userId },
  );
  return (await inviteToGroup(fixture.deps, owner, { groupId, invitees: named })).results;
}

async function outcomes(host: InvitingGroup, ...invitees: readonly (UserActor | string)[]): Promise<string[]> {
  return (await invite(host, ...invitees)).map(({ outcome }) => outcome);
}

function accept(member: UserActor, groupId: string) {
  return updateMemberStatus(fixture.deps, member, { groupId, userId: member.userId, status: 'ACCEPTED' });
}

async function causes(groupId: string): Promise<unknown[]> {
  return (await readHistoryRows(fixture, groupId)).map(({ cause }) => cause);
}

/** Group with an invitation to the address of a user, which is verified if `verified`. */
async function invitedByEmail(verified: boolean) {
  const [host, guest, address] = [await createInvitingGroup(fixture), await createUser(fixture), uniqueEmail()];
  await assignEmail(fixture, guest, address, verified);
  const [result] = await invite(host, address);
  const id = result?.invitation?.id ?? '';
  return {
    host,
    guest,
    address,
    groupId: host.groupId,
    secret: deriveLinkSecret(fixture.deps.serverSecret, 'invitation', { id, version: 1 }),
  };
}

describe('inviteToGroup by the verified address of a member', () => {
  it.each([['PENDING'], ['ACCEPTED'], ['DECLINED']] as const)(
    'returns ALREADY_MEMBER without a member and changes nothing when the response is %s',
    async (status) => {
      const [host, guest, address] = [await createInvitingGroup(fixture), await createUser(fixture), uniqueEmail()];
      await assignEmail(fixture, guest, address);
      await invite(host, guest);
      await updateMemberStatus(fixture.deps, guest, { groupId: host.groupId, userId: guest.userId, status });
      const before = await expectGroupInvariants(fixture, host.groupId);
      expect(await invite(host, address.toUpperCase())).toEqual([
        { outcome: 'ALREADY_MEMBER', member: null, invitation: null },
      ]);
      expect(await expectGroupInvariants(fixture, host.groupId)).toEqual(before);
    },
  );

  it("returns ALREADY_MEMBER for the inviter's own address", async () => {
    const [host, address] = [await createInvitingGroup(fixture), uniqueEmail()];
    await assignEmail(fixture, host.owner, address);
    expect(await outcomes(host, address)).toEqual(['ALREADY_MEMBER']);
  });

  it('returns ALREADY_MEMBER also after the deadline, for an address and for a user id', async () => {
    const [host, address] = [
      await createInvitingGroup(fixture, [], { respondBy: fixture.clock.in(1_000) }),
      uniqueEmail(),
    ];
    await assignEmail(fixture, host.owner, address);
    fixture.clock.advance(2_000);
    expect(await outcomes(host, address, host.owner)).toEqual(['ALREADY_MEMBER', 'ALREADY_MEMBER']);
  });

  it("returns INVITATION_SENT for a non-member's verified address and a member's unverified one", async () => {
    const [host, member, stranger] = [
      await createInvitingGroup(fixture),
      await createUser(fixture),
      await createUser(fixture),
    ];
    const [unproven, foreign] = [uniqueEmail(), uniqueEmail()];
    await assignEmail(fixture, member, unproven, false);
    await assignEmail(fixture, stranger, foreign);
    await invite(host, member);
    expect(await outcomes(host, unproven, foreign, uniqueEmail())).toEqual([
      'INVITATION_SENT',
      'INVITATION_SENT',
      'INVITATION_SENT',
    ]);
    await expectGroupInvariants(fixture, host.groupId);
  });

  it('returns INVITATION_SENT to an administrator outside the group for their own address', async () => {
    const [host, admin, address] = [await createInvitingGroup(fixture), await createAdmin(fixture), uniqueEmail()];
    await assignEmail(fixture, admin, address);
    const { results } = await inviteToGroup(fixture.deps, admin, {
      groupId: host.groupId,
      invitees: [{ email: address }],
    });
    expect(results).toMatchObject([{ outcome: 'INVITATION_SENT' }]);
  });

  it('counts a user and their address in one call once, in both orders', async () => {
    const [host, first, second] = [
      await createInvitingGroup(fixture),
      await createUser(fixture),
      await createUser(fixture),
    ];
    const [addressOfFirst, addressOfSecond] = [uniqueEmail(), uniqueEmail()];
    await assignEmail(fixture, first, addressOfFirst);
    await assignEmail(fixture, second, addressOfSecond);
    expect(await outcomes(host, first, addressOfFirst, addressOfSecond, second, addressOfSecond)).toEqual([
      'INVITED',
      'ALREADY_MEMBER',
      'INVITATION_SENT',
      'INVITED',
      'ALREADY_MEMBER',
    ]);
    expect(await expectGroupInvariants(fixture, host.groupId)).toMatchObject({
      memberCount: 3,
      counts: { openInvitations: 0 },
      revision: 4,
    });
    await runDueTasks(fixture);
    expect(fixture.mailer.sent.filter(({ to }) => to === addressOfSecond)).toEqual([]);
  });

  it('invites the address again when its owner has left', async () => {
    const { host, guest, address, groupId } = await invitedByEmail(true);
    await invite(host, guest);
    await leaveGroup(fixture.deps, guest, { groupId });
    expect(await outcomes(host, address)).toEqual(['INVITATION_SENT']);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 1,
      counts: { openInvitations: 1 },
    });
  });
});

describe('invitation to the verified address of a user', () => {
  it('is consumed in the revision that makes the user a member by id', async () => {
    const { host, guest, groupId } = await invitedByEmail(true);
    await invite(host, guest);
    await accept(guest, groupId);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      state: 'CONFIRMED',
      requiredCount: 2,
      acceptedCount: 2,
    });
    expect(await causes(groupId)).toEqual(['CREATED', 'INVITED', 'INVITED', 'RESPONSE']);
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'CONFIRMED', revision: 4 });
  });

  it('is consumed after its expiry too', async () => {
    const { host, guest, groupId } = await invitedByEmail(true);
    fixture.clock.advance(INVITATION_TTL_MS);
    await runDueTasks(fixture);
    await invite(host, guest);
    await accept(guest, groupId);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      state: 'CONFIRMED',
      requiredCount: 2,
      counts: { lapsedInvitations: 0 },
    });
  });

  it.each([
    ['ACCEPTED', 'JOINED'],
    ['DECLINED', 'INVITATION_DECLINED'],
  ] as const)('is consumed by a claim of another link with %s', async (status, cause) => {
    const { host, guest, groupId } = await invitedByEmail(true);
    const [forwarded] = await invite(host, uniqueEmail());
    const secret = deriveLinkSecret(fixture.deps.serverSecret, 'invitation', {
      id: forwarded?.invitation?.id ?? '',
      version: 1,
    });
    await claimInvitation(fixture.deps, guest, { secret, status });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 2,
      counts: { openInvitations: 0 },
    });
    expect(await causes(groupId)).toEqual(['CREATED', 'INVITED', 'INVITED', cause]);
  });

  it('is consumed by a response, when migrated rows have it beside the member', async () => {
    const { guest, groupId } = await invitedByEmail(true);
    await insertMember(groupId, guest);
    await accept(guest, groupId);
    expect(await expectRowsToAgree(groupId, guest)).toBe('CONFIRMED');
  });
});

describe('invitations beside members in migrated rows', () => {
  it('are found by migration 014 and consumed by its tasks', async () => {
    const [open, lapsed, apart] = [await invitedByEmail(true), await invitedByEmail(true), await invitedByEmail(true)];
    await fixture.sql(`update invitation set status = 'LAPSED' where group_id = $1`, [lapsed.groupId]);
    await fixture.sql('update groups set open_invitations = 0, lapsed_invitations = 1 where id = $1', [lapsed.groupId]);
    for (const { groupId, guest } of [open, lapsed]) await insertMember(groupId, guest);
    await repeatMigration();
    await runDueTasks(fixture);
    for (const { groupId, guest } of [open, lapsed]) {
      await expectRowsToAgree(groupId, guest);
      expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
        cause: 'JOINED',
        subject_id: guest.userId,
        actor_id: null,
        status: 'PENDING',
      });
    }
    expect(await expectGroupInvariants(fixture, apart.groupId)).toMatchObject({
      memberCount: 1,
      counts: { openInvitations: 1 },
    });
  });
});

async function repeatMigration(): Promise<void> {
  const orm = new MikroORM({ ...ormConfig, clientUrl: fixture.url, logger: () => undefined });
  try {
    await orm.migrator.down('014-one-person');
  } finally {
    await orm.close();
  }
  expect(await migrate(fixture.url, ormConfig)).toEqual(['014-one-person']);
  // It goes by the server's clock, which is ahead of the test's.
  await fixture.sql(`update outbox_task set due_at = $1 where name = 'consume_invitation'`, [fixture.clock.now()]);
}

/** As it could be stored before invitations and members were joined. */
async function insertMember(groupId: string, { userId }: UserActor): Promise<void> {
  await fixture.sql(
    `
    insert into member (group_id, user_id, role, status, invited_at, revision)
    values ($1, $2, 'MEMBER', 'PENDING', $3, 1)`,
    [groupId, userId, fixture.clock.now()],
  );
  await fixture.sql('update groups set pending_count = pending_count + 1 where id = $1', [groupId]);
}

/** @returns the state; the history lacks the row that was inserted */
async function expectRowsToAgree(groupId: string, member: UserActor): Promise<string | undefined> {
  const [row] = await fixture.sql<{ state: string; open: number; rows: number }>(
    `select state, open_invitations as open,
       (select count(*)::integer from invitation where group_id = g.id and status in ('OPEN', 'LAPSED')) as rows
     from groups g where id = $1 and exists (select from member where group_id = g.id and user_id = $2)`,
    [groupId, member.userId],
  );
  expect(row).toMatchObject({ open: 0, rows: 0 });
  return row?.state;
}

describe('verification of an address', () => {
  it('consumes the invitations of all groups that the user is a member of, each in one revision', async () => {
    const { host, guest, address, groupId } = await invitedByEmail(false);
    const [elsewhere, outside] = [await createInvitingGroup(fixture), await createInvitingGroup(fixture)];
    for (const other of [elsewhere, outside]) await invite(other, address);
    for (const joined of [host, elsewhere]) await invite(joined, guest);
    await accept(guest, groupId);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'FORMING', requiredCount: 3 });
    await verifyUserEmail(fixture, guest);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      state: 'CONFIRMED',
      requiredCount: 2,
      viewerMembership: null,
    });
    expect((await readHistoryRows(fixture, groupId)).at(-1)).toMatchObject({
      cause: 'JOINED',
      subject_id: guest.userId,
      actor_id: guest.userId,
      status: 'ACCEPTED',
    });
    expect(await expectGroupInvariants(fixture, elsewhere.groupId)).toMatchObject({
      counts: { openInvitations: 0, pending: 1 },
    });
    expect(await expectGroupInvariants(fixture, outside.groupId)).toMatchObject({
      counts: { openInvitations: 1 },
      memberCount: 1,
      revision: 2,
    });
  });

  it('by the secret of an invitation consumes those of other groups too', async () => {
    const { guest, address, groupId, secret } = await invitedByEmail(false);
    const elsewhere = await createInvitingGroup(fixture);
    await invite(elsewhere, address, guest);
    await claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, state: 'CONFIRMED' });
    expect(await expectGroupInvariants(fixture, elsewhere.groupId)).toMatchObject({
      memberCount: 2,
      counts: { openInvitations: 0 },
    });
    expect(
      await fixture.sql('select 1 from account where id = $1 and email_verified_at is not null', [guest.userId]),
    ).toHaveLength(1);
  });

  it('consumes 100 groups per transaction, and verifies the address in the last one', async () => {
    const [owner, guest, address] = [await createUserWithEmail(fixture), await createUser(fixture), uniqueEmail()];
    await assignEmail(fixture, guest, address, false);
    const groupIds = await insertInvitingGroups(250, owner, guest, address);
    await verifyUserEmail(fixture, guest);
    const rows = await fixture.sql<{ at: string }>(
      `
      select distinct xmin::text as at from groups
      where id = any($1::uuid[]) and open_invitations = 0 and pending_count = 1 and revision = 3`,
      [groupIds],
    );
    expect(rows).toHaveLength(3);
    for (const groupId of groupIds.slice(0, 3)) await expectGroupInvariants(fixture, groupId);
    expect(
      await fixture.sql(`select 1 from invitation where email_key = $1 and status <> 'CLAIMED'`, [address]),
    ).toEqual([]);
  });

  it('fails when another account has verified the address, and consumes nothing', async () => {
    const { host, guest, address, groupId } = await invitedByEmail(false);
    await invite(host, guest);
    await createUserWithEmail(fixture, address);
    await expect(verifyUserEmail(fixture, guest)).rejects.toMatchObject({ reason: 'EMAIL_TAKEN' });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 2,
      counts: { openInvitations: 1 },
    });
  });
});

/** Groups whose history says what their rows say: made, then the guest and the address invited. */
async function insertInvitingGroups(
  count: number,
  owner: UserActor,
  guest: UserActor,
  address: string,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await fixture.sql(
    `insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision,
       accepted_count, pending_count, open_invitations)
     select id, 'Supper club', 'FORMING', $2, $2, 2, 2, 1, 1, 1 from unnest($1::uuid[]) as id`,
    [ids, fixture.clock.now()],
  );
  await fixture.sql(
    `insert into group_change (group_id, revision, cause, actor_id, subject_id, status,
       state_before, state_after, at, accepted_count, pending_count, open_invitations)
     select id, n, case n when 1 then 'CREATED' else 'INVITED' end, $3::uuid,
       case n when 1 then $3::uuid else $4::uuid end, case n when 1 then 'ACCEPTED' else 'PENDING' end,
       case n when 1 then null else 'FORMING' end, 'FORMING', $2, 1, n - 1, n - 1
     from unnest($1::uuid[]) as id, generate_series(1, 2) as n`,
    [ids, fixture.clock.now(), owner.userId, guest.userId],
  );
  await fixture.sql(
    `insert into member (group_id, user_id, role, status, invited_at, revision)
     select id, $3::uuid, 'OWNER', 'ACCEPTED', $2::timestamptz, 1 from unnest($1::uuid[]) as id
     union all select id, $4::uuid, 'MEMBER', 'PENDING', $2::timestamptz, 1 from unnest($1::uuid[]) as id`,
    [ids, fixture.clock.now(), owner.userId, guest.userId],
  );
  await fixture.sql(
    `insert into invitation (id, group_id, email, email_key, issue, status, created_at, expires_at)
     select gen_random_uuid(), id, $3::text, $3::text, 1, 'OPEN', $2, $4 from unnest($1::uuid[]) as id`,
    [ids, fixture.clock.now(), address, fixture.clock.in(INVITATION_TTL_MS)],
  );
  return ids;
}

describe('concurrent invitations and verifications', () => {
  const ROUNDS = 12;

  it('count a user once who is invited by id and by address', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [host, guest, address] = [await createInvitingGroup(fixture), await createUser(fixture), uniqueEmail()];
      await assignEmail(fixture, guest, address);
      await Promise.all([invite(host, guest), invite(host, address), invite(host, address), invite(host, guest)]);
      expect(await expectGroupInvariants(fixture, host.groupId)).toMatchObject({
        memberCount: 2,
        counts: { openInvitations: 0 },
      });
    }
  });

  it('count a user once who verifies an address, is invited by both, and claims another invitation', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { host, guest, address, groupId } = await invitedByEmail(false);
      const [elsewhere, third] = [await createInvitingGroup(fixture), await createInvitingGroup(fixture, [guest])];
      const [link] = await invite(elsewhere, uniqueEmail());
      const secret = deriveLinkSecret(fixture.deps.serverSecret, 'invitation', {
        id: link?.invitation?.id ?? '',
        version: 1,
      });
      await Promise.all([
        invite(host, guest),
        invite(third, address),
        verifyUserEmail(fixture, guest),
        invite(elsewhere, address),
        claimInvitation(fixture.deps, guest, { secret, status: 'ACCEPTED' }),
      ]);
      for (const id of [groupId, elsewhere.groupId, third.groupId]) {
        expect(await expectGroupInvariants(fixture, id)).toMatchObject({
          memberCount: 2,
          counts: { openInvitations: 0 },
        });
      }
    }
  });

  it('verify an address for one of two accounts', async () => {
    const { host, guest, address, groupId } = await invitedByEmail(false);
    const rival = await createUser(fixture);
    await assignEmail(fixture, rival, address, false);
    await invite(host, guest, rival);
    const settled = await Promise.allSettled([verifyUserEmail(fixture, guest), verifyUserEmail(fixture, rival)]);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
      memberCount: 3,
      counts: { openInvitations: 0 },
    });
  });

  it('in several groups end without an error', async () => {
    const guests = await createUsers(fixture, 4);
    const addresses = guests.map(uniqueEmail);
    for (const [index, guest] of guests.entries()) await assignEmail(fixture, guest, addresses[index] ?? '', false);
    const hosts = await Promise.all(Array.from({ length: 6 }, () => createInvitingGroup(fixture)));
    await Promise.all([
      ...hosts.flatMap((host, index) => [
        invite(host, ...(index % 2 === 0 ? addresses : addresses.toReversed())),
        invite(host, ...guests),
      ]),
      ...guests.map((guest) => verifyUserEmail(fixture, guest)),
    ]);
    for (const { groupId } of hosts)
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({
        memberCount: 5,
        counts: { openInvitations: 0 },
      });
  });
});

describe('confirmed group', () => {
  it('stays CONFIRMED when the address of an accepted member is invited', async () => {
    const { host, guest, address, groupId } = await invitedByEmail(true);
    await invite(host, guest);
    await accept(guest, groupId);
    await invite(host, address);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'CONFIRMED' });
    await updateGroup(fixture.deps, host.owner, { groupId, name: 'Choir' });
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ state: 'CONFIRMED' });
  });
});
