import { statement, type Database, type Statement } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { placeAfter, type PageQuery, type TimestampKey } from '../../paging/index.js';
import type { MemberView } from '../model/group-view.js';
import { MEMBER_COLUMNS, memberFromRow, type MemberRow } from '../model/member-row.js';
import type { ResponseStatus } from '../model/response-counts.js';

/** Page of members, ordered by the time of their invitation, then by user id. */
interface MembersPageQuery extends PageQuery<TimestampKey> {
  readonly groupId: string;
  /** Null for members with any response. */
  readonly status: ResponseStatus | null;
}

export interface MembersLoaders {
  /** Loads the members after the cursor: one more than `first` when there are more. */
  readonly members: (query: MembersPageQuery) => Promise<readonly MemberView[]>;
}

interface MembersRow extends MemberRow, BatchedRow {}

/**
 * Limits each page before it joins accounts. The second lateral join keeps the planner from reading all accounts when
 * it expects many rows.
 */
function membersStatement(name: string, filter: string): Statement<MembersRow> {
  return statement<MembersRow>(
    name,
    `
    select page.ordinality::integer as page, ${MEMBER_COLUMNS}
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::uuid[], $5::integer[])
      with ordinality as page (group_id, status, invited_at, user_id, row_limit)
    cross join lateral (
      select * from member
      where group_id = page.group_id ${filter} and (invited_at, user_id) > (page.invited_at, page.user_id)
      order by invited_at, user_id limit page.row_limit
    ) m
    cross join lateral (select * from account where id = m.user_id offset 0) a
    order by page.ordinality, m.invited_at, m.user_id`,
  );
}

const MEMBERS = membersStatement('members', '');
const MEMBERS_OF_STATUS = membersStatement('members_of_status', 'and status = page.status');

export function createMembersLoader(database: Database): MembersLoaders['members'] {
  const loadAll = createMembersPageLoader(database, MEMBERS);
  const loadByStatus = createMembersPageLoader(database, MEMBERS_OF_STATUS);
  return (query) => (query.status === null ? loadAll(query) : loadByStatus(query));
}

function createMembersPageLoader(database: Database, read: Statement<MembersRow>): MembersLoaders['members'] {
  return createPageLoader<MembersPageQuery, MembersRow, MemberView>(database, {
    statement: read,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      queries.map(({ status }) => status),
      queries.map(({ after }) => placeAfter(after, 'ascending')[0]),
      queries.map(({ after }) => placeAfter(after, 'ascending')[1]),
      queries.map(({ first }) => first + 1),
    ],
    cacheKey: ({ groupId, status, first, after }) => [groupId, status, first, after?.at.getTime(), after?.id].join(' '),
    nodeOf: memberFromRow,
  });
}
