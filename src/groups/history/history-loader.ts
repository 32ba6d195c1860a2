import {
  columnsSql,
  createBatchLoader,
  statement,
  type BatchLoader,
  type Database,
  type Statement,
  type Stored,
} from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import { readRows, type PageQuery } from '../../paging/index.js';
import type { GroupChangeView } from '../model/group-change-view.js';
import { GroupChange } from '../model/group-change.entity.js';
import { ResponseCounts, type Counts } from '../model/response-counts.js';

export interface HistoryPageQuery extends PageQuery<number> {
  readonly groupId: string;
  /** The last revision that belongs to the history that is being read. */
  readonly upTo: number;
  readonly stateChangesOnly: boolean;
}

interface ReadHistory {
  /** The changes that follow `after`, oldest first, one more than `first` where there are more. */
  readonly changes: readonly GroupChangeView[];
  readonly totalCount: number;
}

export type HistoryLoader = (query: HistoryPageQuery) => Promise<ReadHistory>;

interface ChangeRow extends Omit<Stored<GroupChange>, 'counts'>, Counts, BatchedRow {}

const OF_STATE = 'and state_before is distinct from state_after';

const CHANGE_COLUMNS = `${columnsSql(GroupChange, 'c')}, ${columnsSql(ResponseCounts, 'c')}`;

function historyStatement(name: string, filter: string): Statement<ChangeRow> {
  return statement<ChangeRow>(
    name,
    `
    select ask.ordinality::integer as ask, ${CHANGE_COLUMNS}
    from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[])
      with ordinality as ask (group_id, after, up_to, most)
    cross join lateral (
      select * from group_change
      where group_id = ask.group_id and revision > ask.after and revision <= ask.up_to ${filter}
      order by revision limit ask.most
    ) c
    order by ask.ordinality, c.revision`,
  );
}

const HISTORY = historyStatement('history', '');
const HISTORY_OF_STATE = historyStatement('history_of_state', OF_STATE);

/** A group's history up to a revision. */
type Extent = Pick<HistoryPageQuery, 'groupId' | 'upTo'>;

interface StateChanges extends Extent {
  readonly count: number;
}

const STATE_CHANGES = statement<StateChanges>(
  'state_changes',
  `
  select extent.group_id as "groupId", extent.up_to as "upTo", c.count
  from unnest($1::uuid[], $2::integer[]) as extent (group_id, up_to)
  cross join lateral (
    select count(*)::integer as count from group_change where group_id = extent.group_id and revision <= extent.up_to ${OF_STATE}
  ) c`,
);

export function createHistoryLoader(database: Database): HistoryLoader {
  const everything = pagesOf(database, HISTORY);
  const ofState = pagesOf(database, HISTORY_OF_STATE);
  const stateChanges = countStateChanges(database);
  return async (query) => {
    // Every revision has one row, so only the state changes need counting; a partial index holds just them.
    if (!query.stateChangesOnly)
      return { changes: await readRows(query, () => everything(query)), totalCount: query.upTo };
    const [changes, counted] = await Promise.all([readRows(query, () => ofState(query)), stateChanges(query)]);
    return { changes, totalCount: counted?.count ?? 0 };
  };
}

function pagesOf(
  database: Database,
  read: Statement<ChangeRow>,
): (query: HistoryPageQuery) => Promise<readonly GroupChangeView[]> {
  return createPageLoader<HistoryPageQuery, ChangeRow, GroupChangeView>(database, {
    statement: read,
    columns: (asks) => [
      asks.map(({ groupId }) => groupId),
      asks.map(({ after }) => after ?? 0),
      asks.map(({ upTo }) => upTo),
      asks.map(({ first }) => first + 1),
    ],
    cacheKey: ({ groupId, upTo, first, after }) => [groupId, upTo, first, after].join(' '),
    nodeOf: changeView,
  });
}

function countStateChanges(database: Database): BatchLoader<Extent, StateChanges> {
  const toCacheKey = ({ groupId, upTo }: Extent): string => `${groupId} ${upTo}`;
  return createBatchLoader(
    (extents: readonly Extent[]) =>
      database.query(STATE_CHANGES, [extents.map(({ groupId }) => groupId), extents.map(({ upTo }) => upTo)]),
    toCacheKey,
    toCacheKey,
  );
}

function changeView(row: ChangeRow): GroupChangeView {
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
