import { describe, expect, it } from '@jest/globals';
import { newId, type UserActor } from '../../src/accounts/index.js';
import { claimInvitation, inviteToGroup, updateMemberStatus } from '../../src/groups/index.js';
import { exportAccount } from '../../src/person-lifecycle/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import { createDeletionFixture } from '../support/groups/deletion-fixture.js';
import {
  ANONYMOUS,
  createGroupWithMembers,
  createUser,
  createUsers,
  serviceActor,
} from '../support/groups/groups-fixture.js';
import {
  assignEmail,
  createInvitingGroup,
  inviteAddresses,
  readMailedSecret,
  uniqueEmail,
} from '../support/groups/invitation-fixture.js';
import { useGroupsFixture } from '../support/groups/use-groups-fixture.js';

const fixture = useGroupsFixture();

/** What the export has to show, and the deletion to erase: a row about the account in every table that can have one. */
async function busyPerson() {
  const actor = await createUser(fixture, 'Ada.Lovelace');
  const { userId } = actor;
  const address = uniqueEmail();
  await assignEmail(fixture, actor, address);
  const inbox = await createInvitingGroup(fixture);
  await inbox.invite(address, uniqueEmail());
  await claimInvitation(fixture.deps, actor, { secret: await readMailedSecret(fixture, address), status: 'TENTATIVE' });
  const asked = await createInvitingGroup(fixture);
  await asked.invite(address);
  const host = await createUser(fixture);
  const joined = await createGroupWithMembers(fixture, host, [actor]);
  await updateMemberStatus(fixture.deps, actor, { groupId: joined, userId, status: 'ACCEPTED' });
  const own = await createGroupWithMembers(fixture, actor);
  await inviteAddresses(fixture, actor, own, [uniqueEmail()]);
  await accountRows(actor, address);
  return { actor, address, joined, own, inbox, asked };
}

async function accountRows({ userId }: UserActor, address: string, userAgent = 'Difference Engine'): Promise<void> {
  const now = fixture.clock.now();
  const later = fixture.clock.in(60_000);
  await fixture.sql(
    `
    insert into session (id, user_id, created_at, rotated_at, expires_at, user_agent, address)
    values ($1, $2, $3, $3, $4, $5, $6)`,
    [newId(), userId, now, later, userAgent, '192.0.2.9'],
  );
  await fixture.sql(
    'insert into email_verification (user_id, email, email_key, issue, expires_at) values ($1, $2, $2, 1, $3)',
    [userId, address, later],
  );
  await fixture.sql(
    'insert into password_reset (id, email_key, user_id, expires_at) values ($1, $2, $3, $4), ($5, $2, null, $4)',
    [newId(), address, userId, later, newId()],
  );
  const notice = newId();
  await fixture.sql(
    `
    insert into outbox_task (id, name, payload, status, created_at, due_at)
    values ($1, 'notify_password_changed', $2, 'QUEUED', $3, $3)`,
    [notice, { userId }, now],
  );
  await fixture.sql('insert into notice_recipient (task_id, user_id, email) values ($1, $2, $3)', [
    notice,
    userId,
    `former-${address}`,
  ]);
  await fixture.sql(`insert into known_address (user_id, network_mac, last_login_at) values ($1, '\\x01', $2)`, [
    userId,
    now,
  ]);
  await fixture.sql('insert into account_event (id, kind, user_id, at) values ($1, $2, $3, $4)', [
    newId(),
    'user.registered',
    userId,
    now,
  ]);
  await fixture.sql(
    `insert into outbox_task (id, name, payload, registered_user_id, status, created_at, due_at, finished_at)
     values ($1, 'verify_email', $2, $3, 'DONE', $4, null, $4), ($5, 'verify_email', $2, null, 'QUEUED', $4, $4, null)`,
    [newId(), { userId }, userId, now, newId()],
  );
  await fixture.sql(
    `insert into idempotent_request (key_mac, request_mac, made, account_id, at) values ('\\x01', '\\x02', $1, $2, $3)`,
    [{ userId }, userId, now],
  );
}

interface ExportedDocument {
  readonly account: Readonly<Record<string, Record<string, unknown>[]>>;
  readonly groups: Readonly<Record<string, Record<string, unknown>[]>>;
  readonly next: string | null;
}

describe('exportAccount', () => {
  it('returns all data of the account in one JSON document without secrets', async () => {
    const { actor, address, joined, own, inbox, asked } = await busyPerson();
    const document = await exportAccount(fixture.deps, actor, actor.userId);
    const at = fixture.clock.now().toISOString();
    expect(document).toMatchObject({
      exportedAt: at,
      account: {
        profile: [{ id: actor.userId, username: 'Ada.Lovelace', email: address, emailVerifiedAt: at, roles: ['USER'] }],
        emailVerifications: [{ email: address, usedAt: null }],
        passwordResets: [{}],
        sessions: [{ createdAt: at, userAgent: 'Difference Engine', address: '192.0.2.9' }],
        knownNetworks: [{ lastLoginAt: at }],
        followUps: [{ name: 'verify_email', status: 'DONE' }],
        otherTasks: expect.arrayContaining([expect.objectContaining({ name: 'verify_email', status: 'QUEUED' })]),
        notices: [{ name: 'notify_password_changed', to: `former-${address}`, createdAt: at }],
        repeatableRequests: [{ made: { userId: actor.userId } }],
        events: [{ kind: 'user.registered', at }],
      },
      groups: {
        peopleInvited: [],
        invitationsSent: [{ groupId: own, groupName: 'Supper club', status: 'OPEN' }],
        invitationMails: expect.arrayContaining([{ sentByYou: false, to: address, at }]),
      },
    });
    const { groups } = document as { groups: Record<string, Record<string, unknown>[]> };
    const ids = (part: string) => groups[part]?.map(({ groupId }) => groupId).toSorted();
    expect(ids('memberships')).toEqual([inbox.groupId, joined, own].toSorted());
    expect(ids('invitationsReceived')).toEqual([inbox.groupId, asked.groupId].toSorted());
    expect(groups['memberships']?.find(({ groupId }) => groupId === joined)).toMatchObject({
      groupName: 'Supper club',
      role: 'MEMBER',
      status: 'ACCEPTED',
      respondedAt: at,
    });
    expect(groups['changes']?.filter(({ groupId }) => groupId === joined)).toEqual([
      { groupId: joined, revision: 2, cause: 'INVITED', madeByYou: false, aboutYou: true, status: 'PENDING', at },
      { groupId: joined, revision: 3, cause: 'RESPONSE', madeByYou: true, aboutYou: true, status: 'ACCEPTED', at },
    ]);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(JSON.stringify(document)).not.toMatch(/hash|secret|mac/i);
  });

  it('finds no data after the deletion', async () => {
    const actor = await createUser(fixture, 'Grace.Hopper');
    const address = uniqueEmail();
    await assignEmail(fixture, actor, address);
    const { owner, groupId } = await createInvitingGroup(fixture, [actor]);
    await (await createInvitingGroup(fixture)).invite(address);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ userId: (await createUser(fixture)).userId }] });
    await fixture.sql('delete from idempotent_request');
    await accountRows(actor, address, 'Mark I');
    const traces = [actor.userId, address, 'Grace.Hopper', 'grace.hopper', 'Mark I'];
    expect((await tablesThatMention(traces)).length).toBeGreaterThan(10);
    const deletion = createDeletionFixture(fixture);
    await deletion.delete(actor);
    await deletion.flushRevocations();
    expect(await tablesThatMention(traces)).toEqual([]);
  });

  it('has a part for every table that refers to an account', async () => {
    const rows = await fixture.sql<{ place: string }>(`
      select conrelid::regclass || '.' ||
        (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as place
      from pg_constraint where contype = 'f' and confrelid = 'account'::regclass order by 1`);
    // A table that is new here needs its part in the export, and its end with the account.
    expect(rows.map(({ place }) => place)).toEqual([
      'audit_event.actor_id',
      'audit_event.subject_id',
      'email_verification.user_id',
      'group_change.actor_id',
      'group_change.subject_id',
      'idempotent_request.account_id',
      'invitation.invited_by_id',
      'invitation_mail.inviter_id',
      'known_address.user_id',
      'member.invited_by_id',
      'member.user_id',
      'notice_recipient.user_id',
      'outbox_task.registered_user_id',
      'password_reset.user_id',
      'session.user_id',
    ]);
  });

  it('omits data of an unverified address', async () => {
    const address = uniqueEmail();
    const [{ owner, groupId, invite }, actor] = [await createInvitingGroup(fixture), await createUser(fixture)];
    await assignEmail(fixture, actor, address, false);
    await invite(address);
    expect(await exportAccount(fixture.deps, actor, actor.userId)).toMatchObject({
      groups: { invitationsReceived: [], invitationMails: [], changes: [] },
    });
    expect(JSON.stringify(await exportAccount(fixture.deps, owner, owner.userId))).toContain(groupId);
  });

  it('returns at most 2,000 records per document, and each record once', async () => {
    const [owner, other] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [other]);
    const CHANGES = 4_500;
    await fixture.sql(
      `
      insert into group_change (group_id, revision, cause, actor_id, subject_id, state_before, state_after, at,
        pending_count, accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
      select $1, n, 'RENAMED', $2, null, 'FORMING', 'FORMING', $3::timestamptz + make_interval(secs => n / 100),
        2, 0, 0, 0, 0, 0
      from generate_series(10, ${9 + CHANGES}) n`,
      [groupId, owner.userId, fixture.clock.now()],
    );
    const changes: Record<string, unknown>[] = [];
    const sizes: number[] = [];
    for (let after: string | null = null, isOver = false; !isOver; isOver = after === null) {
      const document = (await exportAccount(fixture.deps, owner, owner.userId, after)) as ExportedDocument;
      const rows = [document.account, document.groups].flatMap((part) => Object.values(part).flat());
      sizes.push(rows.length);
      changes.push(...(document.groups['changes'] ?? []));
      after = document.next;
    }
    expect(sizes.slice(0, -1)).toEqual([2_000, 2_000]);
    const revisions = changes
      .filter((change) => change['groupId'] === groupId && Number(change['revision']) >= 10)
      .map(({ revision }) => revision);
    expect(revisions).toEqual(Array.from({ length: CHANGES }, (_, index) => index + 10));
  });

  it('bounds the size of a document with long records', async () => {
    const actor = await createUser(fixture);
    await fixture.sql(
      `insert into idempotent_request (key_mac, request_mac, made, account_id, at)
      select decode(lpad(n::text, 8, '0'), 'hex'), '\\x02', jsonb_build_object('made', repeat('x', 100000)), $1, $2
      from generate_series(1, 30) n`,
      [actor.userId, fixture.clock.now()],
    );
    let found = 0;
    for (let after: string | null = null, isOver = false; !isOver; isOver = after === null) {
      const document = (await exportAccount(fixture.deps, actor, actor.userId, after)) as ExportedDocument;
      expect(JSON.stringify(document).length).toBeLessThan(1_500_000);
      found += document.account['repeatableRequests']?.length ?? 0;
      after = document.next;
    }
    expect(found).toBe(30);
  });

  it('rejects an invalid cursor', async () => {
    const actor = await createUser(fixture);
    for (const after of [
      '',
      'x',
      Buffer.from('nothing|1').toString('base64url'),
      Buffer.from("changes|' or 1").toString('base64url'),
    ]) {
      await expect(exportAccount(fixture.deps, actor, actor.userId, after)).rejects.toEqual(
        errorWithReason('INVALID_INPUT'),
      );
    }
  });

  it('rejects callers other than the user', async () => {
    const [someone, other] = await createUsers(fixture, 2);
    await expect(exportAccount(fixture.deps, ANONYMOUS, someone.userId)).rejects.toEqual(
      errorWithReason('TOKEN_MISSING'),
    );
    await expect(exportAccount(fixture.deps, other, someone.userId)).rejects.toEqual(errorWithReason('TOKEN_INVALID'));
    await expect(exportAccount(fixture.deps, serviceActor(['groups:read']), someone.userId)).rejects.toEqual(
      errorWithReason('SCOPE_REQUIRED'),
    );
  });
});

/** The tables, each row of them as text, in which any of these occurs. */
async function tablesThatMention(traces: readonly string[]): Promise<string[]> {
  const tables = await fixture.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await fixture.sql(
        `
        select 1 from ${name} as row
        where exists (select from unnest($1::text[]) as trace where strpos(row::text, trace) > 0)`,
        [traces],
      );
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}
