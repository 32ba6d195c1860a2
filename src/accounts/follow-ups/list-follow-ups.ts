import {
  columnsSql,
  OutboxTask,
  pagedStatement,
  statement,
  statementFor,
  type Database,
  type SqlOrder,
  type Stored,
  type TaskStatus,
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
import { FOLLOW_UP_FIELDS, type FollowUpView } from '../identity/account-loaders.js';
import { requireAdmin, type AdminActor } from '../identity/admin-guard.js';
import type { GetViewerDeps } from '../identity/get-viewer.js';
import { toFollowUpView } from '../identity/view-mappers.js';

export interface ListFollowUpsDeps extends GetViewerDeps {
  readonly database: Database;
}

/** One follow-up of a registration, as an administrator sees it. */
export interface FollowUpTask extends FollowUpView, Pick<Stored<OutboxTask>, 'lastError'> {}

export function toFollowUpTask(task: OutboxTask, userId: string): FollowUpTask {
  return { ...toFollowUpView(task, userId), lastError: task.lastError };
}

export interface ListFollowUpsParams extends PageRequest {
  /** Null or absent for every status. */
  readonly status?: TaskStatus | null | undefined;
}

const FOLLOW_UP_COLUMNS = `
    ${columnsSql(OutboxTask, 'outbox_task', [...FOLLOW_UP_FIELDS, 'lastError'])}, registered_user_id as "userId"`;

const IN_RANGE = `
    (created_at, id) > ($1::timestamptz, $2::uuid) and (created_at, id) < ($3::timestamptz, $4::uuid)`;
const limitedIn = (order: SqlOrder): string => `order by created_at ${order}, id ${order} limit $5`;
const FOLLOW_UPS = 'from outbox_task where registered_user_id is not null';

const PAGE = pagedStatement<FollowUpTask>(
  'follow_ups_page',
  'desc',
  (order) => `
  select ${FOLLOW_UP_COLUMNS} ${FOLLOW_UPS} and ${IN_RANGE} ${limitedIn(order)}`,
);
// A statement of its own, since only then is the index on the status used.
const PAGE_OF_STATUS = pagedStatement<FollowUpTask>(
  'follow_ups_page_of_status',
  'desc',
  (order) => `
  select ${FOLLOW_UP_COLUMNS} ${FOLLOW_UPS} and status = $6 and ${IN_RANGE} ${limitedIn(order)}`,
);
const COUNT = statement<{ count: number }>(
  'follow_ups_count',
  `
  select count(*)::integer as count ${FOLLOW_UPS}`,
);
const COUNT_OF_STATUS = statement<{ count: number }>(
  'follow_ups_count_of_status',
  `
  select count(*)::integer as count ${FOLLOW_UPS} and status = $1`,
);

/**
 * Lists the follow-up tasks of all registrations with their last errors, newest first.
 *
 * @throws UnauthenticatedError, ForbiddenError `ADMIN_REQUIRED` as `requireAdmin`
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 */
export async function listFollowUps(
  deps: ListFollowUpsDeps,
  actor: AdminActor,
  list: ListFollowUpsParams,
): Promise<ConnectionPage<FollowUpTask>> {
  await requireAdmin(deps, actor);
  const page = parsePageRequest(list, TIMESTAMP_CURSOR);
  const ofStatus = list.status == null ? [] : [list.status];
  const keyset = [...rangeOf(page, 'descending'), page.size + 1];
  const statements = ofStatus.length === 0 ? PAGE : PAGE_OF_STATUS;
  const [found, [total]] = await Promise.all([
    readRows(page, () => deps.database.query(statementFor(page, statements), [...keyset, ...ofStatus])),
    deps.database.query(ofStatus.length === 0 ? COUNT : COUNT_OF_STATUS, ofStatus),
  ]);
  return toConnectionPage(page, found, total?.count ?? 0, ({ createdAt: at, id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at, id }),
  );
}
