import {
  columnsSql,
  createBatchLoader,
  pagedStatement,
  statement,
  type BatchLoader,
  type Database,
  type PagedStatement,
  type Stored,
} from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { readRows, type PageQuery } from '../../paging/index.js';
import { GroupChange } from '../model/group-change.entity.js';
import { ResponseCounts, type Counts } from '../model/response-counts.js';
import type { GroupChangeView } from './group-change-view.js';

interface HistoryPageQuery extends PageQuery<number> {
  readonly groupId: string;
  /** Last revision of the list. */
  readonly upTo: number;
  readonly stateChangesOnly: boolean;
}

interface HistoryPage {
  /** The changes of the page, as `toConnectionPage` takes them: one more than its size when there are more. */
  readonly changes: readonly GroupChangeView[];
  readonly totalCount: number;
}

export interface HistoryLoaders {
  readonly history: (query: HistoryPageQuery) => Promise<HistoryPage>;
}

interface ChangeRow extends Omit<Stored<GroupChange>, 'counts'>, Counts, BatchedRow {}

const CHANGES_STATE = 'and state_before is distinct from state_after';

const CHANGE_COLUMNS = `${columnsSql(GroupChange, 'c')}, ${columnsSql(ResponseCounts, 'c')}`;

function historyStatement(name: string, filter: string): PagedStatement<ChangeRow> {
  return pagedStatement<ChangeRow>(
    name,
    'asc',
    (order) => `
    select page.ordinality::integer as page, ${CHANGE_COLUMNS}
    from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[])
      with ordinality as page (group_id, after, up_to, row_limit)
    cross join lateral (
      select * from group_change
      where group_id = page.group_id and revision > page.after and revision <= page.up_to ${filter}
      order by revision ${order} limit page.row_limit
    ) c
    order by page.ordinality, c.revision ${order}`,
  );
}

const HISTORY = historyStatement('history', '');
const HISTORY_OF_STATE = historyStatement('history_of_state', CHANGES_STATE);

type StateChangesKey = Pick<HistoryPageQuery, 'groupId' | 'upTo'>;

interface StateChangesRow extends StateChangesKey {
  readonly count: number;
}

const STATE_CHANGES = statement<StateChangesRow>(
  'state_changes',
  `
  select key.group_id as "groupId", key.up_to as "upTo", c.count
  from unnest($1::uuid[], $2::integer[]) as key (group_id, up_to)
  cross join lateral (
    select count(*)::integer as count from group_change
    where group_id = key.group_id and revision <= key.up_to ${CHANGES_STATE}
  ) c`,
);

export function createHistoryLoader(database: Database): HistoryLoaders['history'] {
  const loadChanges = createChangesLoader(database, HISTORY);
  const loadStateChanges = createChangesLoader(database, HISTORY_OF_STATE);
  const countStateChanges = createStateChangesCounter(database);
  return async (query) => {
    // Each revision has one row, so only state changes need counting. A partial index holds only them.
    if (!query.stateChangesOnly)
      return { changes: await readRows(query, () => loadChanges(query)), totalCount: query.upTo };
    const [changes, row] = await Promise.all([
      readRows(query, () => loadStateChanges(query)),
      countStateChanges(query),
    ]);
    return { changes, totalCount: row?.count ?? 0 };
  };
}

function createChangesLoader(
  database: Database,
  read: PagedStatement<ChangeRow>,
): (query: HistoryPageQuery) => Promise<readonly GroupChangeView[]> {
  return createPageLoader<HistoryPageQuery, ChangeRow, GroupChangeView>(database, {
    statements: read,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      queries.map(({ after }) => after ?? 0),
      queries.map(({ upTo, before }) => (before === null ? upTo : Math.min(upTo, before - 1))),
      queries.map(({ size }) => size + 1),
    ],
    cacheKey: ({ groupId, upTo, size, after, before }) => [groupId, upTo, size, after, before].join(' '),
    collect: (changes, row) => changes.push(changeFromRow(row)),
  });
}

function createStateChangesCounter(database: Database): BatchLoader<StateChangesKey, StateChangesRow> {
  const toCacheKey = ({ groupId, upTo }: StateChangesKey): string => `${groupId} ${upTo}`;
  return createBatchLoader(
    (keys: readonly StateChangesKey[]) =>
      database.query(STATE_CHANGES, [keys.map(({ groupId }) => groupId), keys.map(({ upTo }) => upTo)]),
    toCacheKey,
    toCacheKey,
  );
}

function changeFromRow(row: ChangeRow): GroupChangeView {
  const {
    groupId,
    revision,
    cause,
    actorId,
    apiKey,
    subjectId,
    status,
    stateBefore: before,
    stateAfter: after,
    at,
  } = row;
  const { pending, accepted, tentative, declined, openInvitations, lapsedInvitations } = row;
  const counts = { pending, accepted, tentative, declined, openInvitations, lapsedInvitations };
  return { groupId, revision, cause, actorId, apiKey, subjectId, status, before, after, counts, at };
}
