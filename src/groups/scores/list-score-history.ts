import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import {
  encodeCursor,
  NUMBER_CURSOR,
  parsePageRequest,
  readRows,
  toConnectionPage,
  type ConnectionPage,
  type PageRequest,
} from '../../paging/index.js';
import { requireInsiderAccess } from '../access/get-group.js';
import type { GroupView } from '../model/group-view.js';
import { toScoreView, type ScoreView } from '../model/score-view.js';
import type { LatestScoreLoaders } from './latest-score-loader.js';
import type { ScoresLoaders } from './scores-loader.js';

/**
 * Lists all scores of a group, oldest first. The last one is the current score.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws InvalidInputError `INVALID_INPUT` for an invalid page
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export async function listScoreHistory(
  deps: { readonly loaders: ScoresLoaders & LatestScoreLoaders },
  actor: Actor,
  group: GroupView,
  request: PageRequest,
): Promise<ConnectionPage<ScoreView>> {
  requireInsiderAccess(requireAuthenticated(actor), group);
  const page = parsePageRequest(request, NUMBER_CURSOR);
  const [found, latest] = await Promise.all([
    readRows(page, () => deps.loaders.scores({ groupId: group.id, ...page })),
    deps.loaders.latestScore(group.id),
  ]);
  const listed = found.map((score) => toScoreView(score, group));
  // Sequence numbers have no gaps, so the last one is the total.
  return toConnectionPage(page, listed, latest?.sequence ?? 0, ({ sequence }) => encodeCursor(NUMBER_CURSOR, sequence));
}
