import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { findUsers } from '../src/accounts/identity/find-users.js';
import { lockAccount, requireLockedAccount } from '../src/accounts/identity/locked-account.js';
import {
  listAccounts,
  listAuditEvents,
  listFollowUps,
  listSessions,
  newId,
  OPERATOR,
  type UserActor,
} from '../src/accounts/index.js';
import { revokeLeastRecentlyUsed, revokeSessions } from '../src/accounts/revocation/revoke-sessions.js';
import { enqueueSecurityNotice } from '../src/accounts/security-notices/enqueue-security-notice.js';
import { inTransaction } from '../src/database/index.js';
import { findDueTaskIds } from '../src/database/outbox/find-due-task-ids.js';
import {
  createGroup,
  findOwnedGroupsWithOthers,
  getGroup,
  listGroupInvitations,
  listHistory,
  listInbox,
  listMembers,
  listMemberships,
  listScoreHistory,
  updateMemberStatus,
  withInvitedMemberships,
} from '../src/groups/index.js';
import { PersonalInvitations } from '../src/groups/invitations/personal-invitations.js';
import { Group } from '../src/groups/model/group.entity.js';
import { exportAccount, finishDeletion, getUser } from '../src/person-lifecycle/index.js';
import { BACKGROUND_STATEMENTS } from './support/database/background-statements.js';
import { previewDeletion } from './support/groups/deletion-fixture.js';
import { createTestCore, type TestCore } from './support/service/test-core.js';

/** The indexes that each list statement uses; each is used as an index condition, for any parameters. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  accounts_page: ['account_order'],
  accounts_page_found: ['account_username_prefix', 'account_email_prefix'],
  accounts_count_found: ['account_username_prefix', 'account_email_prefix'],
  audit_page: ['audit_event_order'],
  audit_page_of_user: ['audit_event_actor', 'audit_event_subject'],
  audit_count_of_user: ['audit_event_actor', 'audit_event_subject'],
  due_tasks: ['outbox_task_due'],
  follow_ups_of: ['outbox_task_once_per_registration'],
  follow_ups_page: ['outbox_task_follow_ups'],
  follow_ups_page_of_status: ['outbox_task_listed'],
  follow_ups_count_of_status: ['outbox_task_listed'],
  groups_of_deleted_account: ['member_of_user', 'invitation_of_address|invitation_to_address', 'group_change_pkey'],
  history: ['group_change_pkey'],
  history_of_state: ['group_change_of_state'],
  inbox: ['invitation_of_address'],
  inbox_count: ['invitation_of_address|invitation_to_address'],
  invited_memberships: ['member_of_user|member_pkey', 'invitation_once_per_address'],
  latest_scores: ['compatibility_score_pkey'],
  lock_accounts: ['account_pkey'],
  lock_accounts_exclusively: ['account_pkey'],
  member_pages: ['member_listed'],
  member_pages_of_status: ['member_listed_by_status'],
  members: ['member_listed'],
  members_of_status: ['member_listed_by_status'],
  membership_count: ['member_of_user'],
  memberships_of: ['member_of_user'],
  owned_with_others: ['member_of_user'],
  affected_groups: ['member_of_user'],
  records_audit: ['audit_event_actor', 'audit_event_subject'],
  records_changes: ['group_change_actor', 'group_change_subject'],
  records_events: ['account_event_of_user'],
  records_follow_ups: ['outbox_task_once_per_registration'],
  records_invitation_mails: ['invitation_mail_of_inviter', 'invitation_mail_to_address'],
  records_invitations_received: ['invitation_to_address'],
  records_invitations_sent: ['invitation_inviter'],
  records_memberships: ['member_of_user'],
  records_networks: ['known_address_pkey'],
  records_notices: ['notice_recipient_of_user'],
  records_people_invited: ['member_inviter'],
  records_requests: ['idempotent_request_account'],
  records_resets: ['password_reset_of_user'],
  records_sessions: ['session_of_user'],
  records_tasks: ['outbox_task_about_user'],
  records_verifications: ['email_verification_pkey'],
  recent_notices: ['outbox_task_about_user'],
  responding_groups: ['groups_pkey', 'account_pkey', 'member_pkey|member_of_user', 'invitation_once_per_address'],
  revoke_least_recently_used: ['session_pkey', 'session_of_user'],
  revoke_sessions: ['session_of_user'],
  scores: ['compatibility_score_pkey'],
  deletion_totals: ['member_of_user', 'invitation_inviter'],
  sessions_of: ['session_of_user'],
  state_changes: ['group_change_of_state'],
  unanswered_invitations: ['invitation_listed'],
  visible_users: ['account_pkey', 'member_of_user|member_pkey'],
  users_by_reference: ['account_pkey', 'account_username_key_unique|account_username_prefix'],
  write_responses: ['groups_pkey', 'invitation_pkey'],
  verified_addresses: [
    'account_pkey',
    'account_email_prefix|account_verified_email_unique',
    'member_of_user|member_pkey',
  ],
};

/** Paged lists: the index provides their order, and an index condition finds the entries after a cursor. */
const PAGED = [
  'accounts_page',
  'audit_page',
  'audit_page_of_user',
  'follow_ups_page',
  'follow_ups_page_of_status',
  'history',
  'history_of_state',
  'inbox',
  'member_pages',
  'member_pages_of_status',
  'members',
  'members_of_status',
  'memberships_of',
  'scores',
  'unanswered_invitations',
];

/**
 * Statements that read by key, count or clock, and no list. Some counts read a whole table of accounts, audit events or
 * follow-ups, for an administrator.
 */
const NO_LISTS = [
  'accounts_count',
  'audit_count',
  'follow_ups_count',
  'api_keys',
  'bind_password_reset',
  'has_other_owner',
  'lock_addresses',
  'lock_admin',
  'lock_notice_count',
  'lock_responding_group',
  'lock_verified_account',
  'provable_address',
  'record_api_key_use',
  'remember_network',
  'revoke_session',
  'start_email_verification',
  'try_lock_idempotency_key',
  'address_to_verify',
  'start_session',
  'rotate_session',
  'session_to_refresh',
  'claim_tasks',
  'complete_tasks',
  'record_registrations',
  'record_score',
  'create_group',
  'earlier_result',
  'register_account',
  'database_now',
  'database_writable',
  'fail_task',
  'group_of_invitation',
  'group_access',
  'group_details',
  'scored_group_access',
  'invitation_access',
  'ids_of_names',
  'invitation_preview',
  'jobs_listener_alive',
  'login_by_email',
  'login_by_username',
  'memberships',
  'missing_groups',
  'open_invitation',
  'open_verifications',
  'pending_notice',
  'password_by_id',
  'rate_limit_counts',
  'records_profile',
  'resettable_account',
  'revocations_since',
  'revoked_sessions',
  'signing_keys',
  'users',
  'viewers',
  'watched_group_heads',
];

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
/** `statement('name'`, also through a function that creates several of a kind. */
const NAMED = /(?:[sS]tatement(?:<[^()]*?>)?|section)\(\s*'([a-z_]+)'/g;

let core: TestCore;
let client: pg.Client;
const texts = new Map<string, string>();

beforeAll(async () => {
  core = await createTestCore();
  client = new pg.Client({ connectionString: core.databaseUrl });
  await client.connect();
  await client.query(MANY_ROWS);
  await client.query('analyze');
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  await readEveryList();
  await readInTransaction();
  for (const [{ name, text }] of sent.mock.calls as unknown as [Partial<pg.QueryConfig>][])
    if (name !== undefined && text !== undefined) texts.set(name, text);
  sent.mockRestore();
}, 60_000);
afterAll(async () => {
  await client.end();
  await core.remove();
});

/** So many rows that the planner has a choice, and so varied that only the right index selects few of them. */
const MANY_ROWS = `
  insert into account (id, username, username_key, email, email_key, email_verified_at, password_hash, created_at)
    select gen_random_uuid(), 'user-' || md5(n::text), 'user-' || md5(n::text),
      md5(n::text) || '@example.org', md5(n::text) || '@example.org', now(), 'none',
      now() - n * interval '1 second' from generate_series(1, 20000) n;
  create temporary table sample as select id, email_key, row_number() over () as n from account;
  insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision, accepted_count)
    select gen_random_uuid(), 'Choir', 'FORMING', now(), now(), 10, 10, 10 from generate_series(1, 2000);
  create temporary table circle as select id, row_number() over () as n from groups;
  insert into member (group_id, user_id, role, status, invited_by_id, invited_at, revision)
    select circle.id, sample.id, case when sample.n % 10 = 0 then 'OWNER' else 'MEMBER' end,
      case when sample.n % 2 = 0 then 'PENDING' else 'ACCEPTED' end,
      sample.id, now() - sample.n * interval '1 second', 1
    from circle join sample on sample.n % 2000 = circle.n % 2000;
  insert into group_change (group_id, revision, cause, actor_id, subject_id, state_before, state_after, at)
    select circle.id, (sample.n / 2000) + 1, 'RESPONSE', sample.id, sample.id, 'FORMING',
      case when sample.n % 7 = 0 then 'CONFIRMED' else 'FORMING' end, now()
    from circle join sample on sample.n % 2000 = circle.n % 2000;
  insert into compatibility_score (group_id, sequence, value, source, scored_at, answers_revision)
    select id, s, 1, 'x', now(), 1 from circle, generate_series(1, 10) s;
  insert into invitation (id, group_id, email, email_key, invited_by_id, issue, status, created_at, expires_at)
    select gen_random_uuid(), circle.id, sample.email_key, sample.email_key, sample.id, 1,
      (array['OPEN', 'LAPSED', 'CLAIMED', 'REVOKED'])[sample.n % 4 + 1],
      now() - sample.n * interval '1 second', now() + interval '1 day'
    from circle join sample on sample.n % 2000 = circle.n % 2000;
  insert into invitation_mail (task_id, inviter_id, email_key, at)
    select gen_random_uuid(), id, email_key, now() from sample;
  insert into audit_event (id, at, action, actor_id, subject_id)
    select gen_random_uuid(), now() - n * interval '1 second', 'login', id, id from sample;
  insert into session (id, user_id, created_at, rotated_at, expires_at)
    select gen_random_uuid(), id, now(), now(), now() + interval '1 day' from sample;
  insert into outbox_task (id, name, payload, registered_user_id, status, created_at, due_at)
    select gen_random_uuid(), 'x', '{}', id,
      case when n % 50 = 0 then 'FAILED' else 'DONE' end, now() - n * interval '1 second', null from sample;
  insert into outbox_task (id, name, payload, status, created_at, due_at)
    select gen_random_uuid(), 'x', jsonb_build_object('userId', id), 'QUEUED', now() - n * interval '1 second',
      now() + n * interval '1 second' from sample;
  insert into account_event (id, kind, user_id, at) select gen_random_uuid(), 'x', id, now() from sample;
  insert into known_address (user_id, network_mac, last_login_at) select id, 'x', now() from sample;
  insert into idempotent_request (key_mac, request_mac, made, account_id, at)
    select uuid_send(id), 'x', '{}', id, now() from sample;
  insert into password_reset (id, email_key, user_id, expires_at) select gen_random_uuid(), email_key, id, now()
    from sample;
  insert into email_verification (user_id, email, email_key, issue, expires_at)
    select id, email_key, email_key, n, now() from sample;
  insert into notice_recipient (task_id, user_id, email)
    select task.id, sample.id, email_key from outbox_task task join sample
      on sample.id::text = task.payload ->> 'userId' where task.registered_user_id is null;`;

async function readEveryList(): Promise<void> {
  const { accounts, groups, database } = core;
  const userId = newId();
  await client.query(
    `
      insert into account (id, username, username_key, password_hash, created_at)
      values ($1, 'ada', 'ada', 'none', now())`,
    [userId],
  );
  const actor: UserActor = { kind: 'user', userId, sessionId: newId() };
  const {
    group: { id },
  } = await createGroup(groups, actor, { name: 'Choir' });
  const group = await getGroup(groups, actor, id);
  for (const page of [{ first: 10 }, { last: 10 }, { first: 1_000 }, { last: 1_000 }]) {
    await listAccounts(accounts, OPERATOR, page);
    await listAccounts(accounts, OPERATOR, { ...page, search: 'a' });
    await listAuditEvents(accounts, OPERATOR, page);
    await listAuditEvents(accounts, OPERATOR, { ...page, userId });
    await listFollowUps(accounts, OPERATOR, { ...page, status: null });
    await listFollowUps(accounts, OPERATOR, { ...page, status: 'FAILED' });
    await listMembers(groups, actor, group, page);
    await listMembers(groups, actor, group, { ...page, status: 'ACCEPTED' });
    await listHistory(groups, actor, group, { ...page, stateChangesOnly: false });
    await listHistory(groups, actor, group, { ...page, stateChangesOnly: true });
    await listScoreHistory(groups, actor, group, page);
    await listGroupInvitations(groups, actor, group, page);
    await listInbox(groups, userId, page);
    await listMemberships(groups, actor, userId, page);
  }
  await findDueTaskIds(database, new Date(0), 10);
  await accounts.loaders.followUps(userId);
  await listSessions(accounts, actor, userId);
  await updateMemberStatus(groups, actor, { groupId: id, userId, status: 'DECLINED' });
  await previewDeletion({ deps: groups }, actor, userId);
  await withInvitedMemberships(groups, { userId, emailKey: 'unknown@example.org' }, () => Promise.resolve());
  await exportAccount(groups, actor, userId);
  await finishDeletion(groups, newId(), () => false);
  await findOwnedGroupsWithOthers(database, userId);
  await getUser(groups, actor, userId);
}

async function readInTransaction(): Promise<void> {
  const userId = newId();
  await client.query(
    `
      insert into account (id, username, username_key, password_hash, created_at, email, email_key, email_verified_at)
      values ($1, 'bob', 'bob', 'none', now(), 'bob@example.org', 'bob@example.org', now())`,
    [userId],
  );
  const actor: UserActor = { kind: 'user', userId, sessionId: newId() };
  const { id: groupId } = (await createGroup(core.groups, actor, { name: 'Band' })).group;
  const now = new Date();
  await inTransaction(core.database, async (em) => {
    const group = await em.findOneOrFail(Group, groupId);
    await findUsers(em, [{ userId }, { username: 'ada' }]);
    await PersonalInvitations.load({ em, group }, { userIds: [userId], emailKeys: ['ada@example.org'] });
    await lockAccount(em, userId);
    const account = await requireLockedAccount(em, userId, 'exclusive');
    await revokeSessions(em, { account }, now);
    await revokeLeastRecentlyUsed(em, account, 10, now);
    await enqueueSecurityNotice(em, account, 'notify_password_changed', now);
  });
}

/** The plan for any parameters, with `force_generic_plan`. */
async function planOf(text: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

function namesInSources(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(NAMED)].map(([, name]) => name ?? ''),
  );
}

describe('every prepared statement', () => {
  it('is listed here, with the index of its list or as no list', () => {
    expect(namesInSources().toSorted()).toEqual([...Object.keys(LISTS), ...NO_LISTS].toSorted());
  });

  it('of the background, which tests do not count, has the name that they know', () => {
    expect(namesInSources()).toEqual(expect.arrayContaining([...BACKGROUND_STATEMENTS]));
  });
});

/** The statements that read a list from its end use the same indexes. */
const BACKWARD = [...PAGED, 'accounts_page_found'].map((name): [string, readonly string[]] => [
  `${name}_backward`,
  LISTS[name] ?? [],
]);

describe('the generic plan of a list', () => {
  it.each([...Object.entries(LISTS), ...BACKWARD])('%s reads by %s', async (name, indexes) => {
    const plan = await planOf(texts.get(name) ?? `statement ${name} was not read`);
    for (const index of indexes)
      expect(plan).toMatch(new RegExp(`Index (?:Only )?Scan (?:Backward )?(?:using|on) (?:${index}) [^]*?Index Cond`));
    expect(plan).not.toContain('Seq Scan');
  });

  it.each(PAGED.flatMap((name) => [name, `${name}_backward`]))(
    '%s finds its page by an index condition',
    async (name) => {
      expect(await planOf(texts.get(name) ?? '')).toMatch(/Index Cond: [^\n]*(?:ROW\(|revision > |sequence > )/);
    },
  );

  it.each([...Object.keys(LISTS), ...BACKWARD.map(([name]) => name)])(
    '%s reads no second index in whole, to combine it with the first',
    async (name) => {
      expect(await planOf(texts.get(name) ?? `statement ${name} was not read`)).not.toContain('BitmapAnd');
    },
  );

  it('uses no index for a pattern, so that this test detects a missing index', async () => {
    expect(await planOf('select id from account where username_key like $1')).toContain('Seq Scan');
    expect(
      await planOf(
        `
          select id from account where $1::timestamptz is null or (created_at, id) < ($1, $2::uuid)
          order by created_at desc, id desc limit 10`,
      ),
    ).not.toMatch(/Index Cond/);
  });
});
