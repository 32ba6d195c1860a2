import { columnsSql, statement, type Database } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { placeAfter, type PageQuery, type TimestampKey } from '../../paging/index.js';
import { INVITATION_VIEW_FIELDS, toInvitationView, type InvitationView } from './invitation-view.js';
import { Invitation } from './invitation.entity.js';

/** Page of invitations, ordered by creation time, then by id. */
interface InvitationsPageQuery extends PageQuery<TimestampKey> {
  readonly groupId: string;
}

export interface InvitationsLoaders {
  /** Loads the unanswered invitations after the cursor: one more than `first` when there are more. */
  readonly invitations: (query: InvitationsPageQuery) => Promise<readonly InvitationView[]>;
}

interface InvitationRow extends InvitationView, BatchedRow {}

/** SQL for the columns of an `InvitationView`, from the invitation as `i`. */
export const INVITATION_COLUMNS = columnsSql(Invitation, 'i', INVITATION_VIEW_FIELDS);

const UNANSWERED = statement<InvitationRow>(
  'unanswered_invitations',
  `
  select page.ordinality::integer as page, ${INVITATION_COLUMNS}
  from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::integer[])
    with ordinality as page (group_id, created_at, id, row_limit)
  cross join lateral (
    select * from invitation
    where group_id = page.group_id and status in ('OPEN', 'LAPSED') and (created_at, id) > (page.created_at, page.id)
    order by created_at, id limit page.row_limit
  ) i
  order by page.ordinality, i.created_at, i.id`,
);

export function createInvitationsLoader(database: Database): InvitationsLoaders['invitations'] {
  return createPageLoader<InvitationsPageQuery, InvitationRow, InvitationView>(database, {
    statement: UNANSWERED,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      queries.map(({ after }) => placeAfter(after, 'ascending')[0]),
      queries.map(({ after }) => placeAfter(after, 'ascending')[1]),
      queries.map(({ first }) => first + 1),
    ],
    cacheKey: ({ groupId, first, after }) => [groupId, first, after?.at.getTime(), after?.id].join(' '),
    nodeOf: toInvitationView,
  });
}
