import { statement, type Database, type Statement } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { placeAfter, type PageQuery, type TimestampKey } from '../../paging/index.js';
import { MEMBER_COLUMNS, memberFromRow, type MemberRow } from '../access/member-row.js';
import type { MemberView } from '../model/member-view.js';
import type { ResponseStatus } from '../model/response-counts.js';

/** Members are listed by when they were invited, then by their user's id. */
export interface MembersPageQuery extends PageQuery<TimestampKey> {
  readonly groupId: string;
  /** Null for members of every answer. */
  readonly status: ResponseStatus | null;
}

/** Gives the members that follow `after`, one more than `first` where there are more. */
export type MembersLoader = (query: MembersPageQuery) => Promise<readonly MemberView[]>;

interface MembersRow extends MemberRow, BatchedRow {}

/**
 * The pages asked for, each cut off by its own limit before accounts are looked at.
 *
 * The second lateral keeps the planner from reading every account once it expects many rows.
 */
function membersStatement(name: string, filter: string): Statement<MembersRow> {
  return statement<MembersRow>(
    name,
    `
    select ask.ordinality::integer as ask, ${MEMBER_COLUMNS}
    from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::uuid[], $5::integer[])
      with ordinality as ask (group_id, status, invited_at, user_id, most)
    cross join lateral (
      select * from member
      where group_id = ask.group_id ${filter} and (invited_at, user_id) > (ask.invited_at, ask.user_id)
      order by invited_at, user_id limit ask.most
    ) m
    cross join lateral (select * from account where id = m.user_id offset 0) a
    order by ask.ordinality, m.invited_at, m.user_id`,
  );
}

const MEMBERS = membersStatement('members', '');
const MEMBERS_OF_STATUS = membersStatement('members_of_status', 'and status = ask.status');

export function createMembersLoader(database: Database): MembersLoader {
  const everyone = pagesOf(database, MEMBERS);
  const ofStatus = pagesOf(database, MEMBERS_OF_STATUS);
  return (query) => (query.status === null ? everyone(query) : ofStatus(query));
}

function pagesOf(database: Database, read: Statement<MembersRow>): MembersLoader {
  return createPageLoader<MembersPageQuery, MembersRow, MemberView>(database, {
    statement: read,
    columns: (asks) => [
      asks.map(({ groupId }) => groupId),
      asks.map(({ status }) => status),
      asks.map(({ after }) => placeAfter(after, 'ascending')[0]),
      asks.map(({ after }) => placeAfter(after, 'ascending')[1]),
      asks.map(({ first }) => first + 1),
    ],
    cacheKey: ({ groupId, status, first, after }) => [groupId, status, first, after?.at.getTime(), after?.id].join(' '),
    nodeOf: memberFromRow,
  });
}
