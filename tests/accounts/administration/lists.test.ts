import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListAuditEventsParams } from '../../../src/accounts/administration/list-audit-events.js';
import {
  createApiKey,
  listAccounts,
  listApiKeys,
  listAuditEvents,
  listFollowUps,
  newId,
  type UserActor,
} from '../../../src/accounts/index.js';
import { MINUTE_MS } from '../../../src/async/durations.js';
import type { ConnectionPage, PageRequest } from '../../../src/paging/index.js';
import { errorWithFields, errorWithReason } from '../../support/error-matchers.js';
import { ANONYMOUS } from '../../support/groups/groups-fixture.js';
import { createAdminFixture, PROGRAM, type AdminFixture } from './admin-fixture.js';

let fixture: AdminFixture;
let root: UserActor;
beforeAll(async () => {
  fixture = await createAdminFixture();
  root = await fixture.administrator();
});
afterAll(() => fixture.remove());

type Page = ConnectionPage<{ readonly id: string }>;

interface List {
  readonly table: string;
  /** What it is ordered by, the latest first. */
  readonly time: string;
  readonly add: (at: Date) => Promise<string>;
  readonly page: (request: PageRequest, by?: UserActor | typeof ANONYMOUS | typeof PROGRAM) => Promise<Page>;
}

const LISTS: Readonly<Record<string, List>> = {
  accounts: {
    table: 'account',
    time: 'created_at',
    add: async (at) => {
      const { userId } = await fixture.person();
      await fixture.sql('update account set created_at = $2 where id = $1', [userId, at]);
      return userId;
    },
    page: (request, by = root) => listAccounts(fixture.accounts, by, request),
  },
  'audit events': {
    table: 'audit_event',
    time: 'at',
    add: (at) => addEvent({ at }),
    page: (request, by = root) => listAuditEvents(fixture.accounts, by, request),
  },
  'follow-ups': {
    table: 'outbox_task',
    time: 'created_at',
    add: (at) => addFollowUp(at),
    page: (request, by = root) => listFollowUps(fixture.accounts, by, { status: null, ...request }),
  },
};
const NAMES = Object.keys(LISTS);

async function addEvent({
  at,
  actorId = null,
  subjectId = null,
}: {
  at: Date;
  actorId?: string | null;
  subjectId?: string | null;
}): Promise<string> {
  const id = newId();
  await fixture.sql(`insert into audit_event (id, at, action, actor_id, subject_id) values ($1, $2, 'login', $3, $4)`, [
    id,
    at,
    actorId,
    subjectId,
  ]);
  return id;
}

async function addFollowUp(at: Date, status = 'DONE'): Promise<string> {
  const id = newId();
  const { userId } = await fixture.person();
  await fixture.sql(
    `
    insert into outbox_task (id, name, payload, registered_user_id, status, last_error, created_at, due_at)
    values ($1, 'verify_email', '{}', $2, $3, 'away', $4, null)`,
    [id, userId, status, at],
  );
  return id;
}

function list(name: string): List {
  const found = LISTS[name];
  if (found === undefined) throw new Error(`there is no list ${name}`);
  return found;
}

async function stored({ table, time }: List): Promise<string[]> {
  return (await fixture.sql<{ id: string }>(`select id from ${table} order by ${time} desc, id desc`)).map(
    ({ id }) => id,
  );
}

/** Several at the same moment among them, later than everything before. */
async function addSeven({ add }: List): Promise<void> {
  for (const count of [1, 3, 2, 1]) {
    fixture.clock.advance(MINUTE_MS);
    for (let each = 0; each < count; each += 1) await add(fixture.clock.now());
  }
}

async function readOn(
  { page }: List,
  first: number,
  after: string | null = null,
): Promise<{ ids: string[]; pages: Page[] }> {
  const pages: Page[] = [];
  for (let next = after; ; next = pages.at(-1)?.pageInfo.endCursor ?? null) {
    const got = await page({ first, after: next });
    pages.push(got);
    if (!got.pageInfo.hasNextPage) return { pages, ids: pages.flatMap(({ nodes }) => nodes.map(({ id }) => id)) };
  }
}

function cursor(...parts: readonly string[]): string {
  return Buffer.from(parts.join('|')).toString('base64url');
}

describe.each(NAMES)('list of all %s', (name) => {
  it('returns pages of any size in descending order, each entry once', async () => {
    await addSeven(list(name));
    const expected = await stored(list(name));
    for (const first of [1, 2, 3, expected.length - 1, expected.length, expected.length + 1, 1_000]) {
      const { ids, pages } = await readOn(list(name), first);
      expect(ids).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(expected.length / first));
      pages.forEach(({ totalCount, nodes, edges, pageInfo }, index) => {
        expect(totalCount).toBe(expected.length);
        expect(edges.map(({ node }) => node)).toEqual(nodes);
        expect(pageInfo).toEqual({
          hasNextPage: index < pages.length - 1,
          hasPreviousPage: index > 0,
          startCursor: edges.at(0)?.cursor,
          endCursor: edges.at(-1)?.cursor,
        });
      });
    }
  });

  it('continues after the cursor when rows are inserted and deleted between pages', async () => {
    const { add, page, table } = list(name);
    await addSeven(list(name));
    const before = await stored(list(name));
    const first = await page({ first: 3 });
    // The page ends within those of one moment: another of that moment, and one that is later.
    const [{ at } = { at: new Date(0) }] = await fixture.sql<{ at: Date }>(
      `select ${list(name).time}::text as at from ${table} where id = $1`,
      [before[2]],
    );
    const late = [await add(new Date(at)), await add(fixture.clock.in(MINUTE_MS))];
    await fixture.sql(`delete from ${table} where id = $1`, [before[2]]);
    const rest = await readOn(list(name), 2, first.pageInfo.endCursor);
    expect(rest.ids).toEqual(before.slice(3));
    expect(rest.pages[0]?.totalCount).toBe(before.length + 1);
    expect((await readOn(list(name), 2)).ids).toEqual(expect.arrayContaining(late));
  });

  it('returns an empty page after the last entry and the whole list before the first', async () => {
    const { page } = list(name);
    const totalCount = (await stored(list(name))).length;
    const end = await page({ first: 10, after: cursor('0', '00000000-0000-0000-0000-000000000000') });
    expect(end).toEqual({
      totalCount,
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    });
    const begin = await page({
      first: 1_000,
      after: cursor('999999999999999', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    });
    expect(begin.nodes).toHaveLength(totalCount);
  });

  it.each([0, -1, 1_001, 2_147_483_647, 1.5, Number.NaN])('rejects a page size of %p', async (first) => {
    await expect(list(name).page({ first })).rejects.toEqual(errorWithFields('first'));
    await expect(list(name).page({ first, after: 'x' })).rejects.toEqual(errorWithFields('first', 'after'));
  });

  const ID = '0190c2a0-0000-7000-8000-000000000000';
  it.each([
    ['nothing', ''],
    ['what is no base64', '%%%'],
    ['a number, as other lists have it', cursor('7')],
    ['a time without an id', cursor('7', '')],
    ['an id in capitals', cursor('7', ID.toUpperCase())],
    ['what is no id', cursor('7', 'x')],
    ['more than it writes', cursor('7', ID, 'x')],
    ['padding', `${cursor('77', ID)}=`],
    ['a time before its calendar', cursor('-200000-01-01T00:00:00.000Z', ID)],
    ['a time in words', cursor('2026-03-01T12:00:00.000Z', ID)],
    ['a time after its calendar', cursor('9'.repeat(16), ID)],
    ['a negative time', cursor('-7', ID)],
    ['NUL', cursor('7\0', ID)],
  ])('rejects as a cursor: %s', async (_, after) => {
    await expect(list(name).page({ first: 1, after })).rejects.toEqual(errorWithFields('after'));
  });

  it('requires an administrator', async () => {
    const ada = await fixture.person();
    for (const [by, reason] of [
      [ada, 'ADMIN_REQUIRED'],
      [ANONYMOUS, 'TOKEN_MISSING'],
      [PROGRAM, 'SCOPE_REQUIRED'],
    ] as const) {
      await expect(list(name).page({ first: 0 }, by)).rejects.toEqual(errorWithReason(reason));
    }
  });
});

describe('listAuditEvents with a user', () => {
  it('returns the events by and about the user, each once', async () => {
    const [ada, other] = [await fixture.person(), await fixture.person()];
    const at = fixture.clock.now();
    const ids = [
      await addEvent({ at, actorId: ada.userId }),
      await addEvent({ at, subjectId: ada.userId }),
      await addEvent({ at, actorId: ada.userId, subjectId: ada.userId }),
      await addEvent({ at, actorId: root.userId, subjectId: ada.userId }),
    ].toReversed();
    await addEvent({ at, actorId: root.userId, subjectId: other.userId });
    const page = (request: ListAuditEventsParams) =>
      listAuditEvents(fixture.accounts, root, { userId: ada.userId, ...request });
    const first = await page({ first: 3 });
    const second = await page({ first: 3, after: first.pageInfo.endCursor });
    expect([first.totalCount, second.totalCount]).toEqual([4, 4]);
    expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(ids);
    expect(await page({ first: 1, userId: newId() })).toMatchObject({ totalCount: 0, nodes: [] });
  });
});

describe('listFollowUps with status FAILED', () => {
  it('returns failed tasks with their errors, page by page', async () => {
    const at = fixture.clock.now();
    const ids = [
      await addFollowUp(at, 'FAILED'),
      await addFollowUp(at, 'FAILED'),
      await addFollowUp(at, 'FAILED'),
    ].toReversed();
    const page = (request: PageRequest) => listFollowUps(fixture.accounts, root, { status: 'FAILED', ...request });
    const first = await page({ first: 2 });
    const second = await page({ first: 2, after: first.pageInfo.endCursor });
    expect([...first.nodes, ...second.nodes]).toMatchObject(
      ids.map((id) => ({ id, lastError: 'away', status: 'FAILED' })),
    );
    expect([first.totalCount, second.totalCount]).toEqual([3, 3]);
  });
});

describe('listAccounts with a search', () => {
  const find = async (search: string | null) => {
    const { nodes, totalCount } = await listAccounts(fixture.accounts, root, { search, first: 1_000 });
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ username }) => username);
  };

  beforeAll(async () => {
    for (const [username, email] of [
      ['Zoé', 'zo@example.org'],
      ['zo.others', 'Someone.Else@example.org'],
      ['50_50', null],
      ['505', null],
    ] as const) {
      fixture.clock.advance(1);
      await fixture.join(username, email ?? undefined);
    }
  });

  it.each([
    ['ZO', ['zo.others', 'Zoé']],
    ['zoe\u0301', ['Zoé']],
    ['someone.ELSE@', ['zo.others']],
    ['zo@example.org', ['Zoé']],
    ['50', ['505', '50_50']],
    ['50_', ['50_50']],
    ['%', []],
    ['\\', []],
    ['example.org', []],
    ['o', []],
    [' zo', []],
  ])('finds by %j the accounts %j', async (search, found) => {
    expect(await find(search)).toEqual(found);
  });

  it('returns all accounts for an empty search', async () => {
    const all = await find(null);
    expect(all).toHaveLength((await stored(list('accounts'))).length);
    expect(await find('')).toEqual(all);
  });

  it('returns the matches page by page', async () => {
    const page = (after: string | null) => listAccounts(fixture.accounts, root, { search: '50', first: 1, after });
    const first = await page(null);
    const second = await page(first.pageInfo.endCursor);
    expect([first, second]).toMatchObject([
      { totalCount: 2, nodes: [{ username: '505' }], pageInfo: { hasNextPage: true } },
      { totalCount: 2, nodes: [{ username: '50_50' }], pageInfo: { hasNextPage: false } },
    ]);
  });

  it.each(['a\0', '\ud800', 'x'.repeat(255)])('rejects a search that can match no account: %#', async (search) => {
    await expect(find(search)).rejects.toEqual(errorWithFields('search'));
  });

  it('returns the fields that administrators may read, and no others', async () => {
    const {
      nodes: [zoe],
    } = await listAccounts(fixture.accounts, root, { search: 'zoé', first: 1 });
    expect(zoe).toEqual({
      id: expect.any(String),
      username: 'Zoé',
      displayName: null,
      email: 'zo@example.org',
      emailVerified: true,
      roles: ['USER'],
      disabled: false,
      createdAt: expect.any(Date),
      lastLoginAt: expect.any(Date),
    });
  });
});

describe('listApiKeys', () => {
  it('returns active and expired keys, newest first', async () => {
    const make = async (name: string): Promise<string> =>
      (
        await createApiKey(fixture.accounts, {
          name,
          scopes: ['groups:read'],
          groupIds: null,
          expiresAt: fixture.clock.in(MINUTE_MS),
        })
      ).apiKey.id;
    const ids = [await make('one'), await make('two')];
    fixture.clock.advance(MINUTE_MS);
    ids.push(await make('three'));
    expect((await listApiKeys(fixture.accounts, root)).map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('requires an administrator', async () => {
    await expect(listApiKeys(fixture.accounts, await fixture.person())).rejects.toEqual(
      errorWithReason('ADMIN_REQUIRED'),
    );
    await expect(listApiKeys(fixture.accounts, PROGRAM)).rejects.toEqual(errorWithReason('SCOPE_REQUIRED'));
  });
});
