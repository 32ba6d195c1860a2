import type { Stored } from '../../database/index.js';
import type { CompatibilityScore } from './compatibility-score.entity.js';
import type { StoredGroup } from './group-view.js';

export type StoredScore = Omit<Stored<CompatibilityScore>, 'groupId' | 'sequence'>;

/** The score in force. */
export interface ScoreView {
  /** 0 to 100 inclusive, exactly as it was written. */
  readonly value: number;
  readonly source: string;
  readonly scoredAt: Date;
  /** Members or their answers have changed since it was written. */
  readonly stale: boolean;
}

export function toScoreView(score: StoredScore, group: Pick<StoredGroup, 'answersRevision'>): ScoreView {
  const { value, source, scoredAt } = score;
  return { value, source, scoredAt, stale: score.answersRevision < group.answersRevision };
}
