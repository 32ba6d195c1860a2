import { requireAuthenticated, type Actor, type AuthenticatedActor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import { toScoreView } from '../model/score-view.js';
import { requireGroupAllowedByKey, requireScope } from './authorization.js';

/**
 * A group as its members, administrators and programs with `groups:read` see it, as of now: a deadline that has
 * passed shows in the state whether or not it is recorded yet. One statement, with the caller's place and the score.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND` when there is none, or none that the caller may know of
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function getGroup(
  deps: Pick<GroupsDeps, 'loaders' | 'clock'>,
  actor: Actor,
  groupId: string,
): Promise<GroupView> {
  const known = requireAuthenticated(actor);
  requireGroupAllowedByKey(known, groupId);
  const seen = await deps.loaders.groupSeenBy({ groupId, callerId: known.kind === 'user' ? known.userId : null });
  const isInside = known.kind === 'service' || seen?.membership != null || seen?.callerIsAdmin === true;
  if (seen === null || !isInside) throw new NotFoundError('GROUP_NOT_FOUND');
  requireReadScope(known);
  const compatibilityScore = seen.score === null ? null : toScoreView(seen.score, seen.group);
  return toGroupView(seen.group, deps.clock.now(), { viewerMembership: seen.membership, compatibilityScore });
}

/**
 * Whoever has a group in hand may read all of it, save a program that may only write: of the group it changed it may read
 * the id, state, counts and score.
 *
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export function requireReadScope(actor: AuthenticatedActor): void {
  if (actor.kind === 'service') requireScope(actor, 'groups:read');
}

/**
 * Who is in a group, and what happened in it, is for those inside.
 *
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for someone who is merely invited
 */
export function requireInsiderAccess(actor: AuthenticatedActor, group: GroupView): void {
  requireReadScope(actor);
  if (group.viewerIsInvitee) throw new NotFoundError('GROUP_NOT_FOUND');
}
