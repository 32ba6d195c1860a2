import type { Stored } from '../../database/index.js';
import type { CompatibilityScore } from './compatibility-score.entity.js';

export type StoredScore = Omit<Stored<CompatibilityScore>, 'groupId'>;

/** Read model of a score of a group. */
export interface ScoreView {
  readonly groupId: string;
  /** 1 for the first score of the group. */
  readonly sequence: number;
  /** 0 to 100 inclusive, exactly as it was written. */
  readonly value: number;
  readonly source: string;
  readonly scoredAt: Date;
  /** Whether members or their responses have changed since the score was written. */
  readonly stale: boolean;
}

/** @param group the group of the score, for its current `answersRevision` */
export function toScoreView(
  score: StoredScore,
  group: { readonly id: string; readonly answersRevision: number },
): ScoreView {
  const { sequence, value, source, scoredAt } = score;
  const stale = score.answersRevision < group.answersRevision;
  return { groupId: group.id, sequence, value, source, scoredAt, stale };
}
