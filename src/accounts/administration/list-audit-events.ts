import {
  columnsSql,
  pagedStatement,
  statement,
  statementFor,
  type Database,
  type SqlOrder,
  type Stored,
} from '../../database/index.js';
import {
  encodeCursor,
  parsePageRequest,
  rangeOf,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import { AuditEvent } from '../audit/audit-event.entity.js';
import { requireAdmin, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';

export interface ListAuditEventsDeps extends GetViewerDeps {
  readonly database: Database;
}

export type AuditEventView = Stored<AuditEvent>;

export interface ListAuditEventsParams extends PageRequest {
  /** Limits the list to events that this account caused or that concern it; null or absent for all. */
  readonly userId?: string | null | undefined;
}

const COLUMNS = columnsSql(AuditEvent, 'audit_event');
const IN_RANGE = '(at, id) > ($1::timestamptz, $2::uuid) and (at, id) < ($3::timestamptz, $4::uuid)';
const limitedIn = (order: SqlOrder): string => `order by at ${order}, id ${order} limit $5`;

const PAGE = pagedStatement<AuditEventView>(
  'audit_page',
  'desc',
  (order) => `select ${COLUMNS} from audit_event where ${IN_RANGE} ${limitedIn(order)}`,
);
// Two subqueries, each with its own index, so that a rare account is found without a scan of all events.
const half = (column: string, order: SqlOrder): string =>
  `(select * from audit_event where ${column} = $6 and ${IN_RANGE} ${limitedIn(order)})`;
const PAGE_OF_USER = pagedStatement<AuditEventView>(
  'audit_page_of_user',
  'desc',
  (order) => `
  select ${COLUMNS} from (${half('actor_id', order)} union ${half('subject_id', order)}) as audit_event
  ${limitedIn(order)}`,
);
const COUNT = statement<{ count: number }>('audit_count', 'select count(*)::integer as count from audit_event');
const COUNT_OF_USER = statement<{ count: number }>(
  'audit_count_of_user',
  `
  select count(*)::integer as count from audit_event where actor_id = $1 or subject_id = $1`,
);

/**
 * Lists audit events, newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 */
export async function listAuditEvents(
  deps: ListAuditEventsDeps,
  actor: AdminActor,
  request: ListAuditEventsParams,
): Promise<ConnectionPage<AuditEventView>> {
  await requireAdmin(deps, actor);
  const page = parsePageRequest(request, TIMESTAMP_CURSOR);
  const userFilter = request.userId == null ? [] : [request.userId];
  const keyset = [...rangeOf(page, 'descending'), page.size + 1];
  const statements = userFilter.length === 0 ? PAGE : PAGE_OF_USER;
  const [rows, [total]] = await Promise.all([
    readRows(page, () => deps.database.query(statementFor(page, statements), [...keyset, ...userFilter])),
    deps.database.query(userFilter.length === 0 ? COUNT : COUNT_OF_USER, userFilter),
  ]);
  return toConnectionPage(page, rows, total?.count ?? 0, (event) => encodeCursor(TIMESTAMP_CURSOR, event));
}
