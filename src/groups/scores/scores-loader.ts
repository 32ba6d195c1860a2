import { columnsSql, statement, type Database } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import type { PageQuery } from '../../paging/index.js';
import { CompatibilityScore } from '../model/compatibility-score.entity.js';
import type { StoredScore } from '../model/score-view.js';

export interface ScoresPageQuery extends PageQuery<number> {
  readonly groupId: string;
}

/** One of a group's scores, with its place among them: 1 for the first that was written. */
export interface SequencedScore extends StoredScore {
  readonly sequence: number;
}

/** Gives the scores that follow `after`, oldest first, one more than `first` where there are more. */
export type ScoresLoader = (query: ScoresPageQuery) => Promise<readonly SequencedScore[]>;

interface ScoreRow extends SequencedScore, BatchedRow {}

const SCORE_COLUMNS = columnsSql(CompatibilityScore, 's', [
  'sequence',
  'value',
  'source',
  'scoredAt',
  'answersRevision',
]);

const SCORES = statement<ScoreRow>(
  'scores',
  `
  select ask.ordinality::integer as ask, ${SCORE_COLUMNS}
  from unnest($1::uuid[], $2::integer[], $3::integer[]) with ordinality as ask (group_id, after, most)
  cross join lateral (
    select * from compatibility_score where group_id = ask.group_id and sequence > ask.after order by sequence limit ask.most
  ) s
  order by ask.ordinality, s.sequence`,
);

export function createScoresLoader(database: Database): ScoresLoader {
  return createPageLoader<ScoresPageQuery, ScoreRow, SequencedScore>(database, {
    statement: SCORES,
    columns: (asks) => [
      asks.map(({ groupId }) => groupId),
      asks.map(({ after }) => after ?? 0),
      asks.map(({ first }) => first + 1),
    ],
    cacheKey: ({ groupId, first, after }) => [groupId, first, after].join(' '),
    nodeOf: (row) => row,
  });
}
