import { columnsSql, pagedStatement, type Database } from '../../database/index.js';
import { createPageLoader, type BatchedRow } from '../../database/loaders/page-loader.js';
import type { PageQuery } from '../../paging/index.js';
import { CompatibilityScore } from '../model/compatibility-score.entity.js';
import type { StoredScore } from '../model/score-view.js';

/** Largest value of PostgreSQL's `integer`: after every sequence number. */
const NO_SEQUENCE = 2_147_483_647;

interface ScoresPageQuery extends PageQuery<number> {
  readonly groupId: string;
}

export interface ScoresLoaders {
  /** Loads the scores of a page, as `toConnectionPage` takes them: one more than its size when there are more. */
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

const SCORES = pagedStatement<ScoreRow>(
  'scores',
  'asc',
  (order) => `
  select page.ordinality::integer as page, ${SCORE_COLUMNS}
  from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[])
    with ordinality as page (group_id, after, before, row_limit)
  cross join lateral (
    select * from compatibility_score
    where group_id = page.group_id and sequence > page.after and sequence < page.before
    order by sequence ${order} limit page.row_limit
  ) s
  order by page.ordinality, s.sequence ${order}`,
);

export function createScoresLoader(database: Database): ScoresLoaders['scores'] {
  return createPageLoader<ScoresPageQuery, ScoreRow, StoredScore>(database, {
    statements: SCORES,
    columns: (queries) => [
      queries.map(({ groupId }) => groupId),
      queries.map(({ after }) => after ?? 0),
      queries.map(({ before }) => Math.min(before ?? NO_SEQUENCE, NO_SEQUENCE)),
      queries.map(({ size }) => size + 1),
    ],
    cacheKey: ({ groupId, size, after, before }) => [groupId, size, after, before].join(' '),
    collect: (scores, row) => scores.push(row),
  });
}
