import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../model/group-view.js';
import { toScoreView, type ScoreView } from '../model/score-view.js';

/** The score in force; null for a group that was never scored. Reading it computes nothing. */
export async function findCompatibilityScore(
  deps: Pick<GroupsDeps, 'loaders'>,
  group: GroupView,
): Promise<ScoreView | null> {
  if (group.compatibilityScore !== undefined) return group.compatibilityScore;
  const score = await deps.loaders.latestScore(group.id);
  return score === null ? null : toScoreView(score, group);
}
