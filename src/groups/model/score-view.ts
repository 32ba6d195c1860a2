import type { Stored } from '../../database/index.js';
import type { CompatibilityScore } from './compatibility-score.entity.js';

export type StoredScore = Omit<Stored<CompatibilityScore>, 'groupId' | 'sequence'>;

/** The current score of a group. */
export interface ScoreView {
  /** 0 to 100 inclusive, exactly as it was written. */
  readonly value: number;
  readonly source: string;
  readonly scoredAt: Date;
  /** Whether members or their responses have changed since the score was written. */
  readonly stale: boolean;
}

/** @param group the group of the score, for its current `answersRevision` */
export function toScoreView(score: StoredScore, group: { readonly answersRevision: number }): ScoreView {
  const { value, source, scoredAt } = score;
  return { value, source, scoredAt, stale: score.answersRevision < group.answersRevision };
}
