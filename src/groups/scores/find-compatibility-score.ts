import type { GroupView } from '../model/group-view.js';
import { toScoreView, type ScoreView } from '../model/score-view.js';
import type { LatestScoreLoaders } from './latest-score-loader.js';

/** @returns the current score as it was recorded; null when the group was never scored */
export async function findCompatibilityScore(
  deps: { readonly loaders: LatestScoreLoaders },
  group: GroupView,
): Promise<ScoreView | null> {
  if (group.compatibilityScore !== undefined) return group.compatibilityScore;
  const score = await deps.loaders.latestScore(group.id);
  return score === null ? null : toScoreView(score, group);
}
