import { pagedStatement, type Database, type PagedStatement } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { rangeColumns, rangeKey, type PageQuery, type TimestampKey } from '../../paging/index.js';
import type { MemberView } from '../model/group-view.js';
import { MEMBER_TUPLE, memberFromTuple, type MemberTuple } from '../model/member-row.js';
import type { ResponseStatus } from '../model/response-counts.js';

/** Page of members, ordered by the time of their invitation, then by user id. */
interface MembersPageQuery extends PageQuery<TimestampKey> {
  readonly groupId: string;
  /** Null for members with any response. */
  readonly status: ResponseStatus | null;
}

export interface MembersLoaders {
  /** Loads the members of a page: one more than its size when there are more. */
  readonly members: (query: MembersPageQuery) => Promise<readonly MemberView[]>;
}

/** One page. Its members are one value, which takes half of the time of the driver to parse as many rows. */
interface MembersRow extends BatchedRow {
  readonly members: readonly MemberTuple[];
}

/**
 * Limits each page before it joins accounts. The inner lateral join keeps the planner from reading all accounts when it
 * expects many rows.
 */
function membersStatement(name: string, filter: string): PagedStatement<MembersRow> {
  return pagedStatement<MembersRow>(
    name,
    'asc',
    (order) => `
    select page.ordinality::integer as page, listed.members
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::uuid[], $5::timestamptz[], $6::uuid[], $7::integer[])
      with ordinality as page (group_id, status, from_at, from_id, to_at, to_id, row_limit)
    cross join lateral (
      select coalesce(
        json_agg(${MEMBER_TUPLE} order by m.invited_at ${order}, m.user_id ${order}), '[]'
      ) as members
      from (
        select * from member
        where group_id = page.group_id ${filter}
          and (invited_at, user_id) > (page.from_at, page.from_id) and (invited_at, user_id) < (page.to_at, page.to_id)
        order by invited_at ${order}, user_id ${order} limit page.row_limit
      ) m
      cross join lateral (select * from account where id = m.user_id offset 0) a
    ) listed`,
  );
}

const MEMBERS = membersStatement('members', '');
const MEMBERS_OF_STATUS = membersStatement('members_of_status', 'and status = page.status');

export function createMembersLoader(database: Database): MembersLoaders['members'] {
  const loadAll = createMembersPageLoader(database, MEMBERS);
  const loadByStatus = createMembersPageLoader(database, MEMBERS_OF_STATUS);
  return (query) => (query.status === null ? loadAll(query) : loadByStatus(query));
}

function createMembersPageLoader(database: Database, read: PagedStatement<MembersRow>): MembersLoaders['members'] {
  return createPageLoader<MembersPageQuery, MembersRow, MemberView>(database, {
    statements: read,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      queries.map(({ status }) => status),
      ...rangeColumns(queries, 'ascending'),
      queries.map(({ size }) => size + 1),
    ],
    cacheKey: (query) => [query.groupId, query.status, query.size, rangeKey(query)].join(' '),
    collect: (members, row, { groupId }) => {
      for (const tuple of row.members) members.push(memberFromTuple(tuple, groupId));
    },
  });
}
