import { type CheckedPage, type Database, type Statement, statement } from '../../database/index.js';
import type { ChangeView } from '../change-view.js';
import type { Counts } from '../response-counts.js';

export interface HistoryAsk extends CheckedPage<number> {
  readonly groupId: string;
  /** The last revision that belongs to the history that is being read. */
  readonly upTo: number;
  readonly stateChangesOnly: boolean;
}

interface ReadHistory {
  /** The changes that follow `after`, oldest first, one more than `first` where there are more. */
  readonly changes: readonly ChangeView[];
  readonly totalCount: number;
}

export type HistoryRead = (ask: HistoryAsk) => Promise<ReadHistory>;

interface ChangeRow extends Omit<ChangeView, 'counts'>, Counts {}

const OF_STATE = 'and state_before is distinct from state_after';

function historyStatement(name: string, filter: string): Statement<ChangeRow> {
  return statement<ChangeRow>(name, `
    select group_id as "groupId", revision, cause, actor_id as "actorId", api_key as "apiKey", subject_id as "subjectId", status,
      state_before as before, state_after as after, at, pending_count as pending, accepted_count as accepted,
      tentative_count as tentative, declined_count as declined, open_invitations as "openInvitations",
      lapsed_invitations as "lapsedInvitations"
    from group_change
    where group_id = $1 and revision > $2 and revision <= $3 ${filter}
    order by revision limit $4`);
}

const HISTORY = historyStatement('history', '');
const HISTORY_OF_STATE = historyStatement('history_of_state', OF_STATE);
const STATE_CHANGES = statement<{ count: number }>('state_changes', `
  select count(*)::integer as count from group_change where group_id = $1 and revision <= $2 ${OF_STATE}`);

export function readHistory(database: Database): HistoryRead {
  return async (ask) => {
    const { groupId, upTo, stateChangesOnly, after, first } = ask;
    const read = stateChangesOnly ? HISTORY_OF_STATE : HISTORY;
    const [rows, totalCount] = await Promise.all([
      database.read(read, [groupId, after ?? 0, upTo, first + 1]),
      stateChangesOnly ? stateChangeCount(database, ask) : upTo,
    ]);
    return { changes: rows.map(changeView), totalCount };
  };
}

/** Every revision has one row, so only the state changes need counting; a partial index holds just them. */
async function stateChangeCount(database: Database, { groupId, upTo }: HistoryAsk): Promise<number> {
  const [row] = await database.read(STATE_CHANGES, [groupId, upTo]);
  return row?.count ?? 0;
}

function changeView(row: ChangeRow): ChangeView {
  const { pending, accepted, tentative, declined, openInvitations, lapsedInvitations, ...change } = row;
  return { ...change, counts: { pending, accepted, tentative, declined, openInvitations, lapsedInvitations } };
}
