import { describe, expect, it } from '@jest/globals';
import {
  createAccountLoaders,
  listAccounts,
  newId,
  OPERATOR,
  setUserDisabled,
  setUserRole,
  type UserActor,
} from '../../src/accounts/index.js';
import { HOUR_MS } from '../../src/async/durations.js';
import { MAX_ATTEMPTS } from '../../src/database/outbox/retry-policy.js';
import {
  cancelGroup,
  changeMemberRole,
  claimInvitation,
  getGroup,
  inviteToGroup,
  leaveGroup,
  listMembers,
  previewInvitation,
  updateMemberStatus,
} from '../../src/groups/index.js';
import { eraseAccountHandler } from '../../src/jobs/handlers/erase-account-handler.js';
import { createTaskRun } from '../../src/jobs/tasks/run-task.js';
import { ERASE_ACCOUNT_TASK, finishDeletion, getUser } from '../../src/person-lifecycle/index.js';
import { errorWithReason } from '../support/error-matchers.js';
import { previewDeletion } from '../support/groups/deletion-fixture.js';
import { runDueTasks } from '../support/groups/due-tasks.js';
import { expectGroupInvariants, readHistoryRows } from '../support/groups/group-invariants.js';
import { createGroupWithMembers, createUser, createUsers } from '../support/groups/groups-fixture.js';
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

const always = (): boolean => true;
const once = (): boolean => false;

function makeOwner(groupId: string, by: UserActor, next: UserActor) {
  return changeMemberRole(fixture.deps, by, { groupId, userId: next.userId, role: 'OWNER' });
}

async function groupsOf({ userId }: UserActor): Promise<string[]> {
  const rows = await fixture.sql<{ group_id: string }>('select group_id from member where user_id = $1', [userId]);
  return rows.map(({ group_id: id }) => id);
}

async function exists(table: string, id: string): Promise<boolean> {
  return (await fixture.sql(`select 1 from ${table} where id = $1`, [id])).length > 0;
}

describe('deleted account before its task has run', () => {
  it('is shown in its groups as deleted, without personal data', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    await assignEmail(fixture, leaver, uniqueEmail());
    await fixture.sql(`update account set display_name = 'Grace', last_login_at = now() where id = $1`, [
      leaver.userId,
    ]);
    const groupId = await createGroupWithMembers(fixture, owner, [leaver]);
    await deletion.request(leaver);
    const { nodes } = await listMembers(fixture.deps, owner, await getGroup(fixture.deps, owner, groupId), {
      first: 10,
    });
    expect(nodes.map(({ userId, user }) => [userId, user?.username, user?.displayName])).toContainEqual([
      leaver.userId,
      '(deleted)',
      null,
    ]);
    expect(await getUser(fixture.deps, owner, leaver.userId)).toMatchObject({
      username: '(deleted)',
      displayName: null,
    });
    expect(
      await fixture.sql(
        `
        select email, email_key, email_verified_at, display_name, password_hash, last_login_at, roles
        from account where id = $1`,
        [leaver.userId],
      ),
    ).toEqual([
      {
        email: null,
        email_key: null,
        email_verified_at: null,
        display_name: null,
        password_hash: '',
        last_login_at: null,
        roles: ['USER'],
      },
    ]);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await exists('account', leaver.userId)).toBe(false);
    await expectGroupInvariants(fixture, groupId);
  });

  it('has no rows in the tables that cascade from an account', async () => {
    const leaver = await createUser(fixture);
    const own = await fixture.sql<{ table: string; column: string }>(`
      select conrelid::regclass::text as "table",
        (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) as "column"
      from pg_constraint where contype = 'f' and confrelid = 'account'::regclass and confdeltype = 'c'`);
    expect(own.length).toBeGreaterThan(5);
    const { userId } = leaver;
    const now = fixture.clock.now();
    await fixture.sql(
      'insert into session (id, user_id, created_at, rotated_at, expires_at) values ($1, $2, $3, $3, $3)',
      [newId(), userId, now],
    );
    await fixture.sql(`insert into known_address values ($1, 'x', $2)`, [userId, now]);
    await fixture.sql(`insert into idempotent_request values ('k', 'r', '{}', $1, $2)`, [userId, now]);
    await fixture.sql(
      `
      insert into outbox_task (id, name, payload, registered_user_id, status, created_at)
      values ($1, 'x', '{}', $2, 'DONE', $3)`,
      [newId(), userId, now],
    );
    await deletion.request(leaver);
    for (const { table, column } of own)
      expect(await fixture.sql(`select 1 from ${table} where ${column} = $1`, [userId])).toEqual([]);
  });

  it('cannot be invited by id or by name, and its name is free', async () => {
    const [owner, other] = await createUsers(fixture, 2);
    const leaver = await createUser(fixture, 'Soon.Gone');
    await createGroupWithMembers(fixture, other, [leaver]);
    const groupId = await createGroupWithMembers(fixture, owner);
    await deletion.request(leaver);
    const invite = (invitee: { userId: string } | { username: string }) =>
      inviteToGroup(fixture.deps, owner, { groupId, invitees: [invitee] });
    for (const invitee of [{ userId: leaver.userId }, { username: 'soon.gone' }, { username: '(deleted)' }]) {
      expect((await invite(invitee)).results).toMatchObject([{ outcome: 'USER_NOT_FOUND' }]);
    }
    const next = await createUser(fixture, 'soon.GONE');
    expect((await invite({ username: 'Soon.Gone' })).results).toMatchObject([
      { outcome: 'INVITED', member: { userId: next.userId } },
    ]);
  });

  it('is hidden from administrators and cannot be changed by them', async () => {
    const leaver = await createUser(fixture);
    await deletion.request(leaver);
    const { database, clock } = fixture.deps;
    const deps = { database, clock, loaders: createAccountLoaders(database), revocations: deletion.revocations };
    const { nodes, totalCount } = await listAccounts(deps, OPERATOR, { first: 1_000 });
    expect([nodes.some(({ id }) => id === leaver.userId), nodes.length]).toEqual([false, totalCount]);
    expect((await listAccounts(deps, OPERATOR, { first: 10, search: 'deleted' })).totalCount).toBe(0);
    await expect(setUserDisabled(deps, OPERATOR, { userId: leaver.userId, disabled: false })).rejects.toEqual(
      errorWithReason('USER_NOT_FOUND'),
    );
    await expect(setUserRole(deps, OPERATOR, { userId: leaver.userId, role: 'ADMIN' })).rejects.toEqual(
      errorWithReason('USER_NOT_FOUND'),
    );
  });

  it('has no address in invitations, and is the inviter of none', async () => {
    const address = uniqueEmail();
    const leaver = await createUserWithEmail(fixture, address);
    const asking = await createInvitingGroup(fixture);
    await asking.invite(address);
    const { owner, groupId } = await createInvitingGroup(fixture, [leaver]);
    await makeOwner(groupId, owner, leaver);
    const invited = uniqueEmail();
    await inviteAddresses(fixture, leaver, groupId, [invited]);
    const secret = await readMailedSecret(fixture, invited);
    await deletion.request(leaver);
    expect(await previewInvitation(fixture.deps, secret)).toMatchObject({ invitedBy: null });
    expect(await fixture.sql('select email from invitation where group_id = $1', [asking.groupId])).toEqual([
      { email: 'deleted@deleted.invalid' },
    ]);
    expect(await readInvitationCounts(fixture, asking.groupId)).toMatchObject({ open: 1 });
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await readInvitationCounts(fixture, asking.groupId)).toMatchObject({ open: 0 });
    await expectGroupInvariants(fixture, asking.groupId);
  });

  it('receives no enqueued invitation mail', async () => {
    const address = uniqueEmail();
    const leaver = await createUserWithEmail(fixture, address);
    const { owner, groupId } = await createInvitingGroup(fixture);
    await inviteToGroup(fixture.deps, owner, { groupId, invitees: [{ email: address }] });
    const before = fixture.mailer.sent.length;
    await deletion.request(leaver);
    await runDueTasks(fixture, 'mail_invitation');
    expect(fixture.mailer.sent.slice(before)).toEqual([]);
  });

  it('is not counted as an owner: the other one can neither leave nor be deleted beside other members', async () => {
    const [owner, second, guest] = await createUsers(fixture, 3);
    const groupId = await createGroupWithMembers(fixture, owner, [second, guest]);
    await makeOwner(groupId, owner, second);
    await deletion.request(owner);
    await expect(leaveGroup(fixture.deps, second, { groupId })).rejects.toEqual(errorWithReason('LAST_OWNER'));
    await expect(deletion.request(second)).rejects.toEqual(errorWithReason('SOLE_OWNER_OF_GROUPS'));
    expect((await previewDeletion(fixture, second, second.userId)).blockingGroups).toMatchObject([{ id: groupId }]);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2 });
  });

  it('is not counted as a member: the deletion of the last other member deletes the group', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await deletion.request(guest);
    await deletion.request(owner);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await exists('groups', groupId)).toBe(false);
    for (const { userId } of [owner, guest]) expect(await exists('account', userId)).toBe(false);
  });
});

describe('concurrent deletion of two owners', () => {
  it('rejects one of them when there is another member', async () => {
    for (let tried = 0; tried < 5; tried += 1) {
      const [owner, second, guest] = await createUsers(fixture, 3);
      const groupId = await createGroupWithMembers(fixture, owner, [second, guest]);
      await makeOwner(groupId, owner, second);
      const results = await Promise.allSettled([deletion.request(owner), deletion.request(second)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
      await expectGroupInvariants(fixture, groupId);
      expect(await fixture.sql(`select 1 from member where group_id = $1 and role = 'OWNER'`, [groupId])).toHaveLength(
        1,
      );
    }
  });
});

describe('finishDeletion', () => {
  it('continues after an interruption and changes each group once', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const shared = await Promise.all(Array.from({ length: 7 }, () => createGroupWithMembers(fixture, owner, [leaver])));
    const own = await Promise.all(Array.from({ length: 60 }, () => createGroupWithMembers(fixture, leaver)));
    await deletion.request(leaver);
    const left = [(await groupsOf(leaver)).length];
    while (!(await finishDeletion(fixture.deps, leaver.userId, once))) left.push((await groupsOf(leaver)).length);
    expect(left[0]).toBe(67);
    expect(left.length).toBeGreaterThan(7);
    expect(left).toEqual(left.toSorted((one, other) => other - one));
    expect(await fixture.sql('select 1 from groups where id = any($1)', [own])).toEqual([]);
    for (const groupId of shared) {
      await expectGroupInvariants(fixture, groupId);
      expect(
        (await readHistoryRows(fixture, groupId)).map(({ cause, subject_id: subject }) => [cause, subject]),
      ).toEqual([
        ['CREATED', owner.userId],
        ['INVITED', null],
        ['ACCOUNT_DELETED', null],
      ]);
    }
    expect(await finishDeletion(fixture.deps, leaver.userId, always)).toBe(true);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
  }, 60_000);

  it('is safe with concurrent calls and writers', async () => {
    const [owner, leaver, guest] = await createUsers(fixture, 3);
    const groupIds = await Promise.all(
      Array.from({ length: 8 }, () => createGroupWithMembers(fixture, owner, [leaver, guest])),
    );
    await Promise.all(Array.from({ length: 8 }, () => createGroupWithMembers(fixture, leaver)));
    await deletion.request(leaver);
    await Promise.all([
      ...Array.from({ length: 3 }, () => finishDeletion(fixture.deps, leaver.userId, always)),
      ...groupIds.map((groupId) =>
        updateMemberStatus(fixture.deps, guest, { groupId, userId: guest.userId, status: 'ACCEPTED' }),
      ),
    ]);
    for (const groupId of groupIds) {
      expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, acceptedCount: 2 });
      expect((await readHistoryRows(fixture, groupId)).filter(({ cause }) => cause === 'ACCOUNT_DELETED')).toHaveLength(
        1,
      );
    }
    expect(await exists('account', leaver.userId)).toBe(false);
  }, 60_000);

  it('makes the longest-standing member owner of a group that a user joined since', async () => {
    const leaver = await createUserWithEmail(fixture);
    const groupId = await createGroupWithMembers(fixture, leaver);
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    await inviteAddresses(fixture, leaver, groupId, [first, second]);
    const secrets = [await readMailedSecret(fixture, first), await readMailedSecret(fixture, second)];
    await deletion.request(leaver);
    const guests = await createUsers(fixture, 2);
    for (const [index, guest] of guests.entries()) {
      await claimInvitation(fixture.deps, guest, { secret: secrets[index]!, status: 'ACCEPTED' });
      fixture.clock.advance(1_000);
    }
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await expectGroupInvariants(fixture, groupId)).toMatchObject({ memberCount: 2, acceptedCount: 2 });
    expect(await fixture.sql(`select user_id from member where group_id = $1 and role = 'OWNER'`, [groupId])).toEqual([
      { user_id: guests[0].userId },
    ]);
    expect(
      (await readHistoryRows(fixture, groupId)).slice(-2).map(({ cause, subject_id: subject }) => [cause, subject]),
    ).toEqual([
      ['ROLE_CHANGED', guests[0].userId],
      ['ACCOUNT_DELETED', null],
    ]);
  });

  it('deletes a large group in batches and prevents joins meanwhile', async () => {
    const leaver = await createUserWithEmail(fixture);
    const groupId = await createGroupWithMembers(fixture, leaver);
    const address = uniqueEmail();
    await inviteAddresses(fixture, leaver, groupId, [address]);
    const secret = await readMailedSecret(fixture, address);
    await fixture.sql(
      `
      insert into group_change (group_id, revision, cause, state_after, at)
      select $1, n, 'RENAMED', 'FORMING', now() from generate_series(1001, 3500) n`,
      [groupId],
    );
    await fixture.sql('update groups set revision = 3500 where id = $1', [groupId]);
    await fixture.sql(
      `
      insert into compatibility_score (group_id, sequence, value, source, scored_at, answers_revision)
      select $1, n, 1, 'x', now(), 1 from generate_series(1, 1500) n`,
      [groupId],
    );
    await deletion.request(leaver);
    const rowsLeft = async () => (await readHistoryRows(fixture, groupId)).length;
    const left = [await rowsLeft()];
    expect(await finishDeletion(fixture.deps, leaver.userId, once)).toBe(false);
    left.push(await rowsLeft());
    await expect(
      claimInvitation(fixture.deps, await createUser(fixture), { secret, status: 'ACCEPTED' }),
    ).rejects.toEqual(errorWithReason('INVITATION_NOT_FOUND'));
    while (!(await finishDeletion(fixture.deps, leaver.userId, once))) left.push(await rowsLeft());
    const steps = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
    expect(left[0]).toBe(2_502);
    expect(left.at(-1)).toBe(0);
    for (const table of [
      'groups where id',
      'group_change where group_id',
      'compatibility_score where group_id',
      'invitation where group_id',
    ]) {
      expect(await fixture.sql(`select 1 from ${table} = $1`, [groupId])).toEqual([]);
    }
  }, 60_000);

  it('clears references in batches of 1,000 rows', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner);
    await fixture.sql(
      `
      insert into group_change (group_id, revision, cause, actor_id, subject_id, state_after, at)
      select $1, n, 'RENAMED', $2, $2, 'FORMING', now() from generate_series(1001, 3300) n`,
      [groupId, leaver.userId],
    );
    await deletion.request(leaver);
    const naming = async () =>
      (
        await fixture.sql<{ count: number }>(
          `
          select (count(actor_id) + count(subject_id))::integer as count from group_change
          where group_id = $1 and (actor_id = $2 or subject_id = $2)`,
          [groupId, leaver.userId],
        )
      )[0]?.count ?? 0;
    const left = [await naming()];
    while (!(await finishDeletion(fixture.deps, leaver.userId, once))) left.push(await naming());
    left.push(await naming());
    expect(left).toEqual([4_600, 3_600, 2_600, 2_300, 1_300, 300, 0, 0]);
    expect(await exists('account', leaver.userId)).toBe(false);
  }, 60_000);

  it('transfers the ownership of a cancelled group', async () => {
    const [owner, guest] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [guest]);
    await cancelGroup(fixture.deps, owner, { groupId });
    await deletion.request(owner);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await fixture.sql('select user_id, role from member where group_id = $1', [groupId])).toEqual([
      { user_id: guest.userId, role: 'OWNER' },
    ]);
  });
});

describe('eraseAccount task', () => {
  it('runs again after a crash and stores no account id when done', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    const groupId = await createGroupWithMembers(fixture, owner, [leaver]);
    await createGroupWithMembers(fixture, leaver);
    await deletion.request(leaver);
    // As a process leaves it that was killed in the middle.
    await finishDeletion(fixture.deps, leaver.userId, once);
    await fixture.sql(
      `update outbox_task set status = 'RUNNING', attempts = 1, due_at = $2 where payload ->> 'userId' = $1`,
      [leaver.userId, fixture.clock.in(60_000)],
    );
    fixture.clock.advance(61_000);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    await expectGroupInvariants(fixture, groupId);
    expect(await exists('account', leaver.userId)).toBe(false);
    expect(await fixture.sql('select 1 from outbox_task t where strpos(t::text, $1) > 0', [leaver.userId])).toEqual([]);
  });

  it('enqueues another task after the last failed attempt', async () => {
    const [owner, leaver] = await createUsers(fixture, 2);
    await createGroupWithMembers(fixture, owner, [leaver]);
    await deletion.request(leaver);
    const [task] = await fixture.sql<{ id: string }>(
      `update outbox_task set attempts = $2 where payload ->> 'userId' = $1 returning id`,
      [leaver.userId, MAX_ATTEMPTS - 1],
    );
    const unreachable = { runTaskOnAll: () => Promise.reject(new Error('boom')) };
    const { database, clock, writeQueue } = fixture.deps;
    const handler = eraseAccountHandler({ database, clock, writeQueue: Object.assign(writeQueue, unreachable) });
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const runTask = createTaskRun({ database, clock, log, handlers: [handler], dispatchAfter: () => undefined });
    await runTask(task?.id ?? '');
    expect(await fixture.sql(`select status, last_error from outbox_task where id = $1`, [task?.id])).toMatchObject([
      { status: 'FAILED', last_error: expect.stringContaining('boom') },
    ]);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await exists('account', leaver.userId)).toBe(true);
    fixture.clock.advance(HOUR_MS);
    await runDueTasks(fixture, ERASE_ACCOUNT_TASK);
    expect(await exists('account', leaver.userId)).toBe(false);
  });
});
