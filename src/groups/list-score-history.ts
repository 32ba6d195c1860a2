import { type Actor, requireKnown } from '../accounts/index.js';
import { checkPage, type ConnectionPage, connectionPage, type PageRequest, readRows, writeCursor } from '../database/index.js';
import { NUMBER_CURSOR } from './cursors.js';
import type { GroupsDeps } from './deps.js';
import { requireMayLookInside } from './get-group.js';
import type { GroupView } from './group-view.js';
import { scoreView, type ScoreView } from './score-view.js';

/**
 * Every score that was written for a group that the caller may read, oldest first; the last one is in force.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws InvalidInputError `INVALID_INPUT` for `first` or `after`
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for someone who is merely invited
 */
export async function listScoreHistory(
  deps: Pick<GroupsDeps, 'reads'>,
  actor: Actor,
  group: GroupView,
  request: PageRequest,
): Promise<ConnectionPage<ScoreView>> {
  requireMayLookInside(requireKnown(actor), group);
  const page = checkPage(request, NUMBER_CURSOR);
  const [found, latest] = await Promise.all([
    readRows(page, () => deps.reads.scores({ groupId: group.id, ...page })),
    deps.reads.latestScore(group.id),
  ]);
  const listed = found.map((score) => ({ ...scoreView(score, group), sequence: score.sequence }));
  // Scores are numbered without gaps.
  return connectionPage(page, listed, latest?.sequence ?? 0, ({ sequence }) => writeCursor(NUMBER_CURSOR, sequence));
}
