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
import type { GroupsDeps } from '../deps.js';
import type { GroupView } from '../model/group-view.js';
import { toScoreView, type ScoreView } from '../model/score-view.js';

/**
 * Every score that was written for a group that the caller may read, oldest first; the last one is in force.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for someone who is merely invited
 */
export async function listScoreHistory(
  deps: Pick<GroupsDeps, 'loaders'>,
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
  const listed = found.map((score) => ({ ...toScoreView(score, group), sequence: score.sequence }));
  // Scores are numbered without gaps.
  return toConnectionPage(page, listed, latest?.sequence ?? 0, ({ sequence }) => encodeCursor(NUMBER_CURSOR, sequence));
}
