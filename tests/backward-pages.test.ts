import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  listAccounts,
  listAuditEvents,
  listFollowUps,
  newId,
  OPERATOR,
  type UserActor,
} from '../src/accounts/index.js';
import {
  createGroup,
  getGroup,
  listGroupInvitations,
  listHistory,
  listInbox,
  listMembers,
  listMemberships,
  listScoreHistory,
} from '../src/groups/index.js';
import type { ConnectionPage, PageRequest } from '../src/paging/index.js';
import { createTestCore, type TestCore } from './support/service/test-core.js';

const ENTRIES = 12;
const RUNS = 6;

let core: TestCore;
let actor: UserActor;
let groupId: string;

type Page = ConnectionPage<unknown>;
type ReadPage = (request: PageRequest) => Promise<Page>;

beforeAll(async () => {
  core = await createTestCore();
  const userId = newId();
  actor = { kind: 'user', userId, sessionId: newId() };
  await core.database.pool.query(
    `insert into account (id, username, username_key, password_hash, created_at, email, email_key, email_verified_at)
     values ($1, 'ada', 'ada', 'none', now(), 'ada@example.org', 'ada@example.org', now())`,
    [userId],
  );
  groupId = (await createGroup(core.groups, actor, { name: 'Choir' })).group.id;
  for (const rows of ROWS) await core.database.pool.query(rows, [groupId, userId].slice(0, parameterCount(rows)));
}, 30_000);
afterAll(() => core.remove());

function parameterCount(text: string): number {
  return text.includes('$2') ? 2 : text.includes('$1') ? 1 : 0;
}

/** Times that several rows share, so that their order depends on the ids. */
const SHARED_TIME = `date_trunc('hour', now()) - (n % 3) * interval '1 minute'`;

const ROWS = [
  `insert into account (id, username, username_key, password_hash, created_at)
   select gen_random_uuid(), 'user-' || n, 'user-' || n, 'none', ${SHARED_TIME} from generate_series(1, ${ENTRIES}) n`,
  `insert into member (group_id, user_id, role, status, invited_at, revision)
   select $1, id, 'MEMBER', case when n % 2 = 0 then 'PENDING' else 'ACCEPTED' end, ${SHARED_TIME}, 1
   from (select id, row_number() over () as n from account where username <> 'ada') a`,
  `update groups set revision = ${ENTRIES}, pending_count = 6, accepted_count = 7, open_invitations = ${ENTRIES}
   where id = $1`,
  `insert into group_change (group_id, revision, cause, state_before, state_after, at)
   select $1, n, 'RESPONSE', 'FORMING', case when n % 2 = 0 then 'FORMING' else 'CONFIRMED' end, now()
   from generate_series(2, ${ENTRIES}) n`,
  `insert into compatibility_score (group_id, sequence, value, source, scored_at, answers_revision)
   select $1, n, n, 'x', now(), 1 from generate_series(1, ${ENTRIES}) n`,
  `insert into invitation (id, group_id, email, email_key, issue, status, created_at, expires_at)
   select gen_random_uuid(), $1, n || '@example.org', n || '@example.org', 1, 'OPEN', ${SHARED_TIME},
     now() + interval '1 day'
   from generate_series(1, ${ENTRIES}) n`,
  `insert into groups (id, name, state, state_changed_at, created_at, revision, answers_revision, accepted_count)
   select gen_random_uuid(), 'Band', 'FORMING', now(), now(), 1, 1, 1 from generate_series(1, ${ENTRIES}) n
   where $1::uuid is not null`,
  `insert into member (group_id, user_id, role, status, invited_at, revision)
   select id, $2, 'OWNER', 'ACCEPTED', ${SHARED_TIME}, 1
   from (select id, row_number() over () as n from groups where name = 'Band' and id <> $1) g`,
  `insert into invitation (id, group_id, email, email_key, issue, status, created_at, expires_at)
   select gen_random_uuid(), id, 'ada@example.org', 'ada@example.org', 1, 'OPEN', ${SHARED_TIME},
     now() + interval '1 day'
   from (select id, row_number() over () as n from groups where name = 'Band') g`,
  `insert into audit_event (id, at, action, actor_id, subject_id)
   select gen_random_uuid(), ${SHARED_TIME}, 'login', case when n % 2 = 0 then $2::uuid end, $2::uuid
   from generate_series(1, ${ENTRIES}) n where $1::uuid is not null`,
  `insert into outbox_task (id, name, payload, registered_user_id, status, created_at)
   select gen_random_uuid(), 'x', '{}', id, case when n % 2 = 0 then 'FAILED' else 'DONE' end, ${SHARED_TIME}
   from (select id, row_number() over () as n from account) a`,
];

const LISTS: Readonly<Record<string, ReadPage>> = {
  accounts: (page) => listAccounts(core.accounts, OPERATOR, page),
  'accounts found by a prefix': (page) => listAccounts(core.accounts, OPERATOR, { ...page, search: 'user-' }),
  'audit events': (page) => listAuditEvents(core.accounts, OPERATOR, page),
  'audit events of a user': (page) => listAuditEvents(core.accounts, OPERATOR, { ...page, userId: actor.userId }),
  'follow-ups': (page) => listFollowUps(core.accounts, OPERATOR, { ...page, status: null }),
  'follow-ups that failed': (page) => listFollowUps(core.accounts, OPERATOR, { ...page, status: 'FAILED' }),
  members: async (page) => listMembers(core.groups, actor, await readGroup(), page),
  'members who accepted': async (page) =>
    listMembers(core.groups, actor, await readGroup(), { ...page, status: 'ACCEPTED' }),
  memberships: (page) => listMemberships(core.groups, actor, actor.userId, page),
  history: async (page) => listHistory(core.groups, actor, await readGroup(), { ...page, stateChangesOnly: false }),
  'history of the state': async (page) =>
    listHistory(core.groups, actor, await readGroup(), { ...page, stateChangesOnly: true }),
  scores: async (page) => listScoreHistory(core.groups, actor, await readGroup(), page),
  'invitations of a group': async (page) =>
    requirePage(await listGroupInvitations(core.groups, actor, await readGroup(), page)),
  inbox: (page) => listInbox(core.groups, actor.userId, page),
};

function readGroup() {
  return getGroup(core.groups, actor, groupId);
}

function requirePage(page: Page | null): Page {
  if (page === null) throw new Error('The list is hidden');
  return page;
}

/** Reads all pages in one direction. Returns the cursors of each page, in the order of the list. */
async function walk(read: ReadPage, size: number, direction: 'forward' | 'backward'): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = null, more = true; more;) {
    const request: PageRequest =
      direction === 'forward' ? { first: size, after: cursor } : { last: size, before: cursor };
    const { edges, pageInfo, totalCount }: Page = await read(request);
    expect(totalCount).toBeGreaterThanOrEqual(5);
    expect(direction === 'forward' ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(cursor !== null);
    pages.push(edges.map((edge) => edge.cursor));
    more = direction === 'forward' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor;
  }
  return direction === 'forward' ? pages : pages.toReversed();
}

describe('pages read from the end of a list', () => {
  it.each(Object.entries(LISTS))(
    'contain the same entries in the same order as from the beginning: %s',
    async (_, read) => {
      const { edges: whole } = await read({ first: 1_000 });
      const cursors = whole.map(({ cursor }) => cursor);
      expect(new Set(cursors).size).toBe(cursors.length);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: ENTRIES + 2 }), async (size) => {
          const [forward, backward] = [await walk(read, size, 'forward'), await walk(read, size, 'backward')];
          expect([forward.flat(), backward.flat()]).toEqual([cursors, cursors]);
          expect(backward.slice(1).every((page) => page.length === size)).toBe(true);
        }),
        { numRuns: RUNS },
      );
    },
  );

  it.each(Object.entries(LISTS))(
    'are the beginning or the end of the entries between two cursors: %s',
    async (_, read) => {
      const { edges } = await read({});
      const [after, ...between] = edges.slice(0, 5).map(({ cursor }) => cursor);
      const before = between.pop();
      const cursorsOf = async (size: PageRequest): Promise<string[]> =>
        (await read({ ...size, after, before })).edges.map(({ cursor }) => cursor);
      expect(await cursorsOf({ first: 2 })).toEqual(between.slice(0, 2));
      expect(await cursorsOf({ last: 2 })).toEqual(between.slice(-2));
    },
  );
});
