import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../src/accounts/index.js';
import { isBackgroundStatement } from '../support/database/background-statements.js';
import { leastStatementsOfRequest, namesOfStatements } from '../support/database/count-statements.js';
import { TRANSPORT_NAMES, TRANSPORTS, type TransportName } from '../support/http/graphql-transports.js';
import { FAKE_HASHER } from '../support/service/test-core.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import {
  createGroupViaApi,
  insertAccounts,
  inviteUsers,
  registerAdmin,
  registerUser,
  type TestUser,
} from '../support/service/test-users.js';

const MEMBERS = 500;

let service: TestService;
let owner: TestUser;
let groupId: string;

beforeAll(async () => {
  service = await startTestService({ hasher: FAKE_HASHER });
  owner = await registerUser(service);
  groupId = await createGroupViaApi(owner);
  await inviteUsers(owner, groupId, await insertAccounts(service, MEMBERS - 1));
});
afterAll(() => service.remove());

async function leastStatements(
  request: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<number> {
  return leastStatementsOfRequest(request, ({ status, text }) => {
    expect({ status, hasErrors: text.includes('"errors"') }).toEqual({ status: 200, hasErrors: false });
  });
}

/** Makes the service read pages of members again. */
async function forgetPages({ database }: TestService): Promise<void> {
  await database.pool.query('update account_directory set version = version + 1');
}

describe('the statements of a REST request', () => {
  it.each([
    ['/api/auth/me', 1],
    ['/api/groups/{group_id}/accepted-count', 1],
    ['/api/groups/{group_id}/compatibility_score', 1],
    ['/api/groups/{group_id}/members?limit=10', 2],
    ['/api/groups/{group_id}/members', 2],
    ['/api/groups/{group_id}/members?status=pending', 2],
  ])('%s: %i', async (path, most) => {
    expect(await leastStatements(() => owner.get(path.replace('{group_id}', groupId)))).toBeLessThanOrEqual(most);
  });
});

describe('the statement that reads a group', () => {
  it.each([
    ['acceptedCount', 'group_access'],
    ['... on Group { compatibilityScore { value } }', 'scored_group_access'],
    ['viewerMembership { status } compatibilityScore { value }', 'group_details'],
  ])('contains what is selected: { %s }', async (fields, expected) => {
    const document = `query ($id: UUID!) { group(id: $id) { ${fields} } }`;
    expect(await namesOfStatements(() => owner.data(document, { id: groupId }))).toEqual([expected]);
  });
});

describe("the statements of an administrator's request", () => {
  let admin: TestUser;
  beforeAll(async () => {
    admin = await registerAdmin(service);
    const tables = [
      "audit_event (id, at, action, actor_id, subject_id) select gen_random_uuid(), now(), 'login', $1, id " +
        'from account',
      'outbox_task (id, name, payload, registered_user_id, status, created_at) ' +
        "select gen_random_uuid(), 'sample', '{}', id, 'DONE', now() from account where $1::uuid is not null",
    ];
    for (const rows of tables) await service.database.pool.query(`insert into ${rows}`, [admin.id]);
  });

  it.each([
    ['{ users(first: 500) { totalCount nodes { id username email roles disabled lastLoginAt } } }', 3],
    ['{ auditEvents(first: 500) { totalCount nodes { action detail actor { username } subject { username } } } }', 5],
    ['{ followUps(first: 500) { totalCount nodes { name status lastError user { username } } } }', 4],
    ['{ apiKeys { id name scopes groupIds } }', 2],
  ])('%s: at most %i, whatever the length of its lists', async (query, most) => {
    expect(await leastStatements(() => admin.graphql(query))).toBeLessThanOrEqual(most);
  });
});

describe('the statements of a GraphQL request', () => {
  const MEMBER = 'user { username displayName } role status invitedAt respondedAt revision invitedBy { username }';

  it.each([
    ['{ me { id username roles } }', 1],
    [
      '{ group(id: "{group_id}") { id acceptedCount state responseCounts { accepted } ' +
        'compatibilityScore { value } viewerMembership { status user { username } } } }',
      1,
    ],
    [`{ group(id: "{group_id}") { members(first: 1000) { totalCount nodes { ${MEMBER} } } } }`, 3],
    [
      `{ group(id: "{group_id}") { members(first: 100) { nodes { ${MEMBER} ` +
        'group { id name acceptedCount members(first: 1) { totalCount } } } } } }',
      5,
    ],
    [
      '{ group(id: "{group_id}") { history(first: 500) { nodes { revision cause actor { username } ' +
        'subject { username } group { id } } } } }',
      5,
    ],
    [
      '{ a: group(id: "{group_id}") { name } ' +
        'b: group(id: "{group_id}") { acceptedCount } c: group(id: "{group_id}") { state } }',
      1,
    ],
  ])('%s: at most %i, whatever the length of its lists', async (query, most) => {
    expect(await leastStatements(() => owner.graphql(query.replaceAll('{group_id}', groupId)))).toBeLessThanOrEqual(
      most,
    );
  });
});

describe.each(['yoga', 'apollo'])('the statements of a request with %s', (engine) => {
  const USER_COUNT = 1_001;
  let large: TestService;
  let user: TestUser;
  let id: string;

  /** A group of 1,000 members and a user with 1,000 groups, whose members were invited by a user. */
  beforeAll(async () => {
    large = await startTestService({ hasher: FAKE_HASHER, settings: { GRAPHQL_ENGINE: engine } });
    user = await registerUser(large);
    id = await createGroupViaApi(user);
    const ids = await insertAccounts(large, USER_COUNT);
    for (const part of [ids.slice(0, 500), ids.slice(500, 1_000)]) await inviteUsers(user, id, part);
    await large.database.pool.query('update member set invited_by_id = $1 where group_id = $2', [ids[0], id]);
    await addGroups(large, user.id, ids);
    // As autovacuum does within a minute. Without it, the plans are those of almost empty tables.
    await large.database.pool.query('analyze');
  }, 60_000);
  afterAll(() => large.remove());

  const QUERIES: readonly [string, number][] = [
    [
      '{ group(id: "{id}") { members(first: {n}) { totalCount nodes { status user { username } ' +
        'invitedBy { username } } } } }',
      3,
    ],
    [
      '{ group(id: "{id}") { members(first: {n}) { nodes { ' +
        'group { members(first: 20) { totalCount } history(first: 1) { totalCount } } } } } }',
      3,
    ],
    [
      '{ me { memberships(first: {n}) { totalCount nodes { status ' +
        'group { name members(first: 2) { nodes { status } } ' +
        'history(first: 1) { nodes { cause actor { username } } } compatibilityScore { value } } } } } }',
      8,
    ],
    [
      '{ me { memberships(first: {n}) { edges { cursor node { ' +
        'group { scoreHistory(first: 1) { pageInfo { hasNextPage } } ' +
        'invitations(first: 1) { nodes { email } } } } } } } }',
      8,
    ],
    [
      '{ me { deletionPreview { blockingGroupCount blockingGroups(first: {n}) { id members(first: 2) { nodes { ' +
        'user { username } } } } } } }',
      4,
    ],
  ];

  it.each(QUERIES)(
    '%s are limited, and the same for pages of 1, 100 and 1,000 on every transport',
    async (query, most) => {
      const send = (name: TransportName, first: number) =>
        TRANSPORTS[name](large.url, user, { query: query.replaceAll('{id}', id).replaceAll('{n}', String(first)) });
      const fewest = await readsOf(large, () => send('POST', 1));
      expect(fewest.length).toBeLessThanOrEqual(most);
      for (const name of TRANSPORT_NAMES) {
        for (const first of [1, 100, 1_000]) {
          await forgetPages(large);
          expect([name, first, await readsOf(large, () => send(name, first))]).toEqual([name, first, fewest]);
        }
      }
    },
    120_000,
  );

  it('read no rows when only the total of a list is requested', async () => {
    const read = jest.spyOn(large.database, 'query');
    const total =
      '{ group(id: "{id}") { members(first: 1000) { totalCount } history(first: 1000) { totalCount } ' +
      'scoreHistory(first: 1000) { totalCount } invitations(first: 1000) { totalCount } } ' +
      'me { memberships(first: 1000) { totalCount } invitations(first: 1000) { totalCount } } }';
    expect(await user.data(total.replace('{id}', id))).toMatchObject({
      group: { members: { totalCount: 1_001 } },
      me: { memberships: { totalCount: 1_001 } },
    });
    const rows = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>));
    read.mockRestore();
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(1);
  });

  it('of an export are the same for any number of aliases', async () => {
    const once = await readsOf(large, () => user.graphql('{ me { export } }'));
    expect(await readsOf(large, () => user.graphql('{ me { a: export b: export } }'))).toEqual(once);
  });
});

/**
 * The names of the statements that a request reads with. A large page takes so long that other reads always run
 * meanwhile. Small and large pages of members count as the same statement.
 */
async function readsOf(
  { database }: TestService,
  request: () => Promise<{ readonly status: number; readonly text: string }>,
): Promise<string[]> {
  const read = jest.spyOn(database, 'query');
  try {
    const { status, text } = await request();
    expect({ status, hasErrors: text.includes('"errors"') }).toEqual({ status: 200, hasErrors: false });
    return read.mock.calls
      .map(([{ name }]) => name ?? '')
      .filter((name) => !isBackgroundStatement(name))
      .map((name) => name.replace('member_pages', 'members'))
      .toSorted();
  } finally {
    read.mockRestore();
  }
}

/** Groups of one user, each with one of the others. */
async function addGroups(
  { database: { pool } }: TestService,
  ownerId: string,
  memberIds: readonly string[],
): Promise<void> {
  const ids = Array.from({ length: 1_000 }, newId);
  await pool.query(
    `insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision,
      pending_count, accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
    select id, 'Supper club', 'FORMING', now(), now(), 1, 1, 2, 0, 0, 0, 0, 0 from unnest($1::uuid[]) as id`,
    [ids],
  );
  await pool.query(
    `insert into member (group_id, user_id, role, status, invited_by_id, invited_at, revision)
    select g, m, r, 'PENDING', null, now(), 1 from unnest($1::uuid[], $2::uuid[]) as pair (g, other),
      lateral (values ($3::uuid, 'OWNER'), (other, 'MEMBER')) as member (m, r)`,
    [ids, memberIds.slice(0, 1_000), ownerId],
  );
  await pool.query(
    `insert into group_change (group_id, revision, cause, actor_id, state_after, at, pending_count,
      accepted_count, tentative_count, declined_count, open_invitations, lapsed_invitations)
    select id, 1, 'CREATED', $2, 'FORMING', now(), 2, 0, 0, 0, 0, 0 from unnest($1::uuid[]) as id`,
    [ids, ownerId],
  );
}
