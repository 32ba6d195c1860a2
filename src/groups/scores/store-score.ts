import { statement, type Database } from '../../database/index.js';
import { GROUP_COLUMNS, groupFromRow, type GroupRow } from '../model/group-row.js';
import type { StoredGroup } from '../model/group-view.js';
import type { StoredScore } from '../model/score-view.js';

interface ScoredGroupRow extends GroupRow, Pick<StoredScore, 'scoredAt'> {
  /** Null when another process has recorded a score concurrently. */
  readonly sequence: number | null;
}

/**
 * The row lock keeps the group from being cancelled, and its responses from changing, until the commit. A statement
 * that waited for it has read the scores before its wait: a sequence number that was taken since conflicts, and nothing
 * is stored.
 */
const RECORD_SCORE = statement<ScoredGroupRow>(
  'record_score',
  `
  with scored as (
    select * from groups where id = $1 and cancelled_at is null for no key update
  ), last as (
    select sequence, scored_at from compatibility_score where group_id = $1 order by sequence desc limit 1
  ), recorded as (
    insert into compatibility_score (group_id, sequence, value, source, scored_at, answers_revision)
    select scored.id, coalesce(last.sequence, 0) + 1, $2::double precision, $3,
      greatest($4::timestamptz, last.scored_at), scored.answers_revision
    from scored left join last on true
    on conflict (group_id, sequence) do nothing
    returning sequence, scored_at
  )
  select ${GROUP_COLUMNS}, recorded.sequence, recorded.scored_at as "scoredAt"
  from scored g left join recorded on true`,
);

/** A score before it has a number. */
export interface NewScore extends Pick<StoredScore, 'value' | 'source' | 'scoredAt'> {
  readonly groupId: string;
}

export interface RecordedScore {
  readonly group: StoredGroup;
  readonly score: StoredScore;
}

/**
 * Stores a score as the current one of its group, by one statement. Requires the group's turn in the write queue, so
 * that only other processes can collide.
 *
 * @returns null when nothing was stored: the group does not exist or is cancelled, or another process has recorded a
 *   score concurrently
 * @throws UnavailableError `DATABASE_UNAVAILABLE`, after which the score may have been stored
 */
export async function storeScore(
  database: Database,
  { groupId, value, source, scoredAt }: NewScore,
): Promise<RecordedScore | null> {
  const [row] = await database.write(RECORD_SCORE, [groupId, value, source, scoredAt], { idempotent: false });
  if (row === undefined || row.sequence === null) return null;
  const { sequence, answersRevision } = row;
  return { group: groupFromRow(row), score: { sequence, value, source, scoredAt: row.scoredAt, answersRevision } };
}
