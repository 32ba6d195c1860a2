import { createBatchLoader, statement, type BatchLoader, type Database } from '../../database/index.js';
import type { StoredScore } from '../model/score-view.js';

interface ScoreRow extends StoredScore {
  readonly groupId: string;
}

const LATEST_SCORES = statement<ScoreRow>(
  'latest_scores',
  `
  select g.id as "groupId", s.sequence, s.value, s.source, s.scored_at as "scoredAt",
    s.answers_revision as "answersRevision"
  from unnest($1::uuid[]) as g (id)
  cross join lateral (
    select * from compatibility_score where group_id = g.id order by sequence desc limit 1
  ) s`,
);

export interface LatestScoreLoaders {
  /** Loads the current score by group id; null when the group was never scored. */
  readonly latestScore: BatchLoader<string, StoredScore>;
}

export function createLatestScoreLoader(database: Database): BatchLoader<string, StoredScore> {
  return createBatchLoader(
    (groupIds: readonly string[]) => database.query(LATEST_SCORES, [groupIds]),
    (groupId) => groupId,
    ({ groupId }) => groupId,
  );
}
