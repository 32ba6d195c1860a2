import { columnsSql, pagedStatement, type Database } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { rangeColumns, rangeKey, type PageQuery, type TimestampKey } from '../../paging/index.js';
import { INVITATION_VIEW_FIELDS, toInvitationView, type InvitationView } from './invitation-view.js';
import { Invitation } from './invitation.entity.js';

/** Page of invitations, ordered by creation time, then by id. */
interface InvitationsPageQuery extends PageQuery<TimestampKey> {
  readonly groupId: string;
}

export interface InvitationsLoaders {
  /** Loads the unanswered invitations of a page: one more than its size when there are more. */
  readonly invitations: (query: InvitationsPageQuery) => Promise<readonly InvitationView[]>;
}

interface InvitationRow extends InvitationView, BatchedRow {}

/** SQL for the columns of an `InvitationView`, from the invitation as `i`. */
export const INVITATION_COLUMNS = columnsSql(Invitation, 'i', INVITATION_VIEW_FIELDS);

const UNANSWERED = pagedStatement<InvitationRow>(
  'unanswered_invitations',
  'asc',
  (order) => `
  select page.ordinality::integer as page, ${INVITATION_COLUMNS}
  from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::timestamptz[], $5::uuid[], $6::integer[])
    with ordinality as page (group_id, from_at, from_id, to_at, to_id, row_limit)
  cross join lateral (
    select * from invitation
    where group_id = page.group_id and status in ('OPEN', 'LAPSED')
      and (created_at, id) > (page.from_at, page.from_id) and (created_at, id) < (page.to_at, page.to_id)
    order by created_at ${order}, id ${order} limit page.row_limit
  ) i
  order by page.ordinality, i.created_at ${order}, i.id ${order}`,
);

export function createInvitationsLoader(database: Database): InvitationsLoaders['invitations'] {
  return createPageLoader<InvitationsPageQuery, InvitationRow, InvitationView>(database, {
    statements: UNANSWERED,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      ...rangeColumns(queries, 'ascending'),
      queries.map(({ size }) => size + 1),
    ],
    cacheKey: (query) => [query.groupId, query.size, rangeKey(query)].join(' '),
    collect: (invitations, row) => invitations.push(toInvitationView(row)),
  });
}
