import {
  pagedStatement,
  rememberPages,
  type Database,
  type PagedStatement,
  type SqlOrder,
} from '../../database/index.js';
import { createPageLoader, type BatchedRow, type PageLoaderOptions } from '../../database/loaders/page-loader.js';
import { rangeColumns, rangeKey, type PageQuery, type TimestampKey } from '../../paging/index.js';
import type { MemberView } from '../model/group-view.js';
import {
  MEMBER_COLUMNS,
  MEMBER_PAGE,
  MEMBER_PAGE_COLUMNS,
  memberFromRow,
  membersFromPage,
  type MemberPage,
  type MemberRow,
} from '../model/member-row.js';
import type { ResponseStatus } from '../model/response-counts.js';

/** Larger pages are read row by row, because one value is parsed in one step. */
const MAX_SIZE_OF_VALUE = 100;
/** A member takes about 500 bytes. */
const MAX_KNOWN_MEMBERS = 50_000;

/** Page of members, ordered by the time of their invitation, then by user id. */
interface MembersPageQuery extends PageQuery<TimestampKey> {
  readonly groupId: string;
  /** Version of the list, as read before the page; null when it is not known. */
  readonly version: string | null;
  /** Null for members with any response. */
  readonly status: ResponseStatus | null;
}

type LoadMembers = (query: MembersPageQuery) => Promise<readonly MemberView[]>;

export interface MembersLoaders {
  /** Loads the members of a page: one more than its size when there are more. */
  readonly members: LoadMembers;
}

/** A page whose members are one value, which takes half of the time of the driver to parse as many rows. */
interface PageRow extends BatchedRow {
  readonly members: MemberPage;
}

interface MembersRow extends MemberRow, BatchedRow {}

const OF_STATUS = 'and status = page.status';

const PAGES = `
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::uuid[], $5::timestamptz[], $6::uuid[], $7::integer[])
      with ordinality as page (group_id, status, from_at, from_id, to_at, to_id, row_limit)`;

/**
 * The members of a page as `m`, limited before they are joined with their accounts as `a`. The lateral join keeps the
 * planner from reading all accounts when it expects many rows.
 */
function membersOfPage(filter: string, order: SqlOrder): string {
  return `(
      select * from member
      where group_id = page.group_id ${filter}
        and (invited_at, user_id) > (page.from_at, page.from_id) and (invited_at, user_id) < (page.to_at, page.to_id)
      order by invited_at ${order}, user_id ${order} limit page.row_limit
    ) m
    cross join lateral (select * from account where id = m.user_id offset 0) a`;
}

function rowsStatement(name: string, filter: string): PagedStatement<MembersRow> {
  return pagedStatement<MembersRow>(
    name,
    'asc',
    (order) => `
    select page.ordinality::integer as page, ${MEMBER_COLUMNS} ${PAGES}
    cross join lateral ${membersOfPage(filter, order)}
    order by page.ordinality, m.invited_at ${order}, m.user_id ${order}`,
    { timesAsText: true },
  );
}

function valuesStatement(name: string, filter: string): PagedStatement<PageRow> {
  return pagedStatement<PageRow>(
    name,
    'asc',
    (order) => `
    select page.ordinality::integer as page, listed.members ${PAGES}
    cross join lateral (
      select ${MEMBER_PAGE} as members
      from (
        select ${MEMBER_PAGE_COLUMNS} from ${membersOfPage(filter, order)}
        order by m.invited_at ${order}, m.user_id ${order}
      ) member_of_page
    ) listed`,
  );
}

const MEMBERS = rowsStatement('members', '');
const MEMBERS_OF_STATUS = rowsStatement('members_of_status', OF_STATUS);
const MEMBER_PAGES = valuesStatement('member_pages', '');
const MEMBER_PAGES_OF_STATUS = valuesStatement('member_pages_of_status', OF_STATUS);

export function createMembersLoader(database: Database): MembersLoaders['members'] {
  const loadAll = createMembersPageLoader(database, MEMBERS, MEMBER_PAGES);
  const loadByStatus = createMembersPageLoader(database, MEMBERS_OF_STATUS, MEMBER_PAGES_OF_STATUS);
  return (query) => (query.status === null ? loadAll(query) : loadByStatus(query));
}

function createMembersPageLoader(
  database: Database,
  rows: PagedStatement<MembersRow>,
  values: PagedStatement<PageRow>,
): LoadMembers {
  const loadLarge = createPageLoader<MembersPageQuery, MembersRow, MemberView>(database, {
    ...PARAMETERS,
    statements: rows,
    collect: (members, row) => members.push(memberFromRow(row)),
  });
  const readSmall = createPageLoader<MembersPageQuery, PageRow, MemberView>(database, {
    ...PARAMETERS,
    statements: values,
    collect: (members, row, { groupId }) => {
      for (const member of membersFromPage(row.members, groupId)) members.push(member);
    },
  });
  const loadSmall = rememberPages(readSmall, {
    cacheKey: (query) => `${cacheKeyOf(query)} ${String(query.backward)}`,
    maxNodes: MAX_KNOWN_MEMBERS,
  });
  return (query) => (query.size > MAX_SIZE_OF_VALUE ? loadLarge(query) : loadSmall(query));
}

const PARAMETERS: Pick<PageLoaderOptions<MembersPageQuery, never, never>, 'columns' | 'cacheKey'> = {
  columns: (queries) => [
    queries.map(({ groupId }) => groupId),
    queries.map(({ status }) => status),
    ...rangeColumns(queries, 'ascending'),
    queries.map(({ size }) => size + 1),
  ],
  cacheKey: cacheKeyOf,
};

function cacheKeyOf(query: MembersPageQuery): string {
  const { groupId, status, size } = query;
  return `${groupId} ${String(status)} ${size} ${rangeKey(query)}`;
}
