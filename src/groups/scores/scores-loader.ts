import { columnsSql, statement, type Database } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import type { PageQuery } from '../../paging/index.js';
import { CompatibilityScore } from '../model/compatibility-score.entity.js';
import type { StoredScore } from '../model/score-view.js';

interface ScoresPageQuery extends PageQuery<number> {
  readonly groupId: string;
}

export interface ScoresLoaders {
  /** Loads the scores after the cursor, oldest first: one more than `first` when there are more. */
  readonly scores: (query: ScoresPageQuery) => Promise<readonly StoredScore[]>;
}

interface ScoreRow extends StoredScore, BatchedRow {}

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
  select page.ordinality::integer as page, ${SCORE_COLUMNS}
  from unnest($1::uuid[], $2::integer[], $3::integer[]) with ordinality as page (group_id, after, row_limit)
  cross join lateral (
    select * from compatibility_score
    where group_id = page.group_id and sequence > page.after order by sequence limit page.row_limit
  ) s
  order by page.ordinality, s.sequence`,
);

export function createScoresLoader(database: Database): ScoresLoaders['scores'] {
  return createPageLoader<ScoresPageQuery, ScoreRow, StoredScore>(database, {
    statement: SCORES,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      queries.map(({ after }) => after ?? 0),
      queries.map(({ first }) => first + 1),
    ],
    cacheKey: ({ groupId, first, after }) => [groupId, first, after].join(' '),
    nodeOf: (row) => row,
  });
}
