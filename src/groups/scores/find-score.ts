import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { pageOfNumber } from '../../paging/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupView } from '../model/group-view.js';
import { toScoreView, type ScoreView } from '../model/score-view.js';
import type { ScoresLoaders } from './scores-loader.js';

/**
 * Finds one score of a group that the caller has read, current or not.
 *
 * @param sequence 1 for the first score of the group
 * @returns null when the group has fewer scores
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export async function findScore(
  { loaders }: { readonly loaders: ScoresLoaders },
  actor: Actor,
  group: GroupView,
  sequence: number,
): Promise<ScoreView | null> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  const [score] = await loaders.scores({ groupId: group.id, ...pageOfNumber(sequence) });
  return score === undefined ? null : toScoreView(score, group);
}
