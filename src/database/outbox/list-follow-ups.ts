import {
  encodeCursor,
  parsePageRequest,
  placeAfter,
  readRows,
  TIMESTAMP_CURSOR,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import type { Database } from '../connection/database.js';
import { statement } from '../connection/statement.js';
import { columnsSql, type Stored } from '../schema/columns.js';
import { OutboxTask, type TaskStatus } from './outbox-task.entity.js';

const TASK_FIELDS = ['id', 'name', 'status', 'attempts', 'lastError', 'createdAt', 'finishedAt'] as const;

/** One follow-up of a registration, as an administrator sees it. */
export interface FollowUpTask extends Pick<Stored<OutboxTask>, (typeof TASK_FIELDS)[number]> {
  readonly userId: string;
}

export interface ListFollowUpsParams extends PageRequest {
  /** Null for every status. */
  readonly status: TaskStatus | null;
}

const FOLLOW_UP_COLUMNS = `${columnsSql(OutboxTask, 'outbox_task', TASK_FIELDS)}, registered_user_id as "userId"`;

const FOLLOWING = '(created_at, id) < ($1::timestamptz, $2::uuid)';
const IN_ORDER = 'order by created_at desc, id desc limit $3';
const FOLLOW_UPS = 'from outbox_task where registered_user_id is not null';

const PAGE = statement<FollowUpTask>(
  'follow_ups_page',
  `
  select ${FOLLOW_UP_COLUMNS} ${FOLLOW_UPS} and ${FOLLOWING} ${IN_ORDER}`,
);
// A statement of its own, since only then is the index on the status used.
const PAGE_OF_STATUS = statement<FollowUpTask>(
  'follow_ups_page_of_status',
  `
  select ${FOLLOW_UP_COLUMNS} ${FOLLOW_UPS} and status = $4 and ${FOLLOWING} ${IN_ORDER}`,
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
 * The follow-ups of all registrations, newest first.
 *
 * @throws InvalidInputError `INVALID_INPUT` for a size out of range (`first`) or a cursor of another list (`after`)
 * @throws UnavailableError `DATABASE_UNAVAILABLE`
 */
export async function listFollowUps(
  database: Database,
  list: ListFollowUpsParams,
): Promise<ConnectionPage<FollowUpTask>> {
  const page = parsePageRequest(list, TIMESTAMP_CURSOR);
  const ofStatus = list.status === null ? [] : [list.status];
  const place = [...placeAfter(page.after, 'descending'), page.first + 1];
  const [found, [total]] = await Promise.all([
    readRows(page, () => database.query(list.status === null ? PAGE : PAGE_OF_STATUS, [...place, ...ofStatus])),
    database.query(list.status === null ? COUNT : COUNT_OF_STATUS, ofStatus),
  ]);
  return toConnectionPage(page, found, total?.count ?? 0, ({ createdAt: at, id }) =>
    encodeCursor(TIMESTAMP_CURSOR, { at, id }),
  );
}
