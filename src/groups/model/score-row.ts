import { columnsSql } from '../../database/index.js';
import { toDate, type TimeText } from '../../time/stored-time.js';
import { CompatibilityScore } from './compatibility-score.entity.js';
import type { StoredScore } from './score-view.js';

/** A score in JSON. */
export interface ScoreJson extends Omit<StoredScore, 'scoredAt'> {
  readonly scoredAt: TimeText;
}

/** SQL for the columns of a `ScoreJson`, from the score as `s`. */
export const SCORE_COLUMNS = columnsSql(CompatibilityScore, 's', [
  'sequence',
  'value',
  'source',
  'scoredAt',
  'answersRevision',
]);

/** SQL that joins the current score of a group `g` as `s`, with its version. */
export const CURRENT_SCORE = `
  left join lateral (
    select *, xmin::text as version from compatibility_score where group_id = g.id order by sequence desc limit 1
  ) s on true`;

export function scoreFromJson({ sequence, value, source, scoredAt, answersRevision }: ScoreJson): StoredScore {
  return { sequence, value, source, scoredAt: toDate(scoredAt), answersRevision };
}
