import { requireAuthenticated, type Actor, type AuthenticatedActor, type Clock } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import { toScoreView } from '../model/score-view.js';
import { requireGroupAllowedByKey, requireScope } from './authorization.js';
import type { GroupAccessLoaders } from './group-access-loader.js';

export interface GetGroupDeps {
  readonly loaders: GroupAccessLoaders;
  readonly clock: Clock;
}

/** What a read of a group includes besides the group. */
export interface GroupSelection {
  /** The caller's membership and the score, by the same statement. Otherwise each is loaded when it is needed. */
  readonly details: boolean;
}

/**
 * Reads a group for a member, an administrator, or an API client with scope `groups:read`. The state takes a passed
 * deadline into account, recorded or not.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND` when the group does not exist or the caller has no access
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function getGroup(
  deps: GetGroupDeps,
  actor: Actor,
  groupId: string,
  { details }: GroupSelection = { details: true },
): Promise<GroupView> {
  const authenticated = requireAuthenticated(actor);
  requireGroupAllowedByKey(authenticated, groupId);
  const callerId = authenticated.kind === 'user' ? authenticated.userId : null;
  const view = details ? await readGroupWithDetails(deps, groupId, callerId) : await readGroup(deps, groupId, callerId);
  if (view === null) throw new NotFoundError('GROUP_NOT_FOUND');
  requireReadScope(authenticated);
  return view;
}

/** Null for a group that does not exist or that the caller has no access to. */
async function readGroup(
  { loaders, clock }: GetGroupDeps,
  groupId: string,
  callerId: string | null,
): Promise<GroupView | null> {
  const access = await loaders.groupAccess({ groupId, callerId });
  if (access === null || (callerId !== null && !access.callerIsInsider)) return null;
  return toGroupView(access.group, clock.now());
}

async function readGroupWithDetails(
  { loaders, clock }: GetGroupDeps,
  groupId: string,
  callerId: string | null,
): Promise<GroupView | null> {
  const access = await loaders.groupDetails({ groupId, callerId });
  const isInsider = callerId === null || access?.membership != null || access?.callerIsAdmin === true;
  if (access === null || !isInsider) return null;
  const { group, membership, score } = access;
  const compatibilityScore = score === null ? null : toScoreView(score, group);
  return toGroupView(group, clock.now(), { viewerMembership: membership, compatibilityScore });
}

/**
 * Requires scope `groups:read` of an API client; users pass. A client without it may read only the id, state, counts
 * and score of a group that it changed.
 *
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export function requireReadScope(actor: AuthenticatedActor): void {
  if (actor.kind === 'service') requireScope(actor, 'groups:read');
}

/**
 * Requires insider access: members and history are hidden from users who are only invited.
 *
 * @throws ForbiddenError `SCOPE_REQUIRED`
 * @throws NotFoundError `GROUP_NOT_FOUND` for an invitee
 */
export function requireInsiderAccess(actor: AuthenticatedActor, group: GroupView): void {
  requireReadScope(actor);
  if (group.viewerIsInvitee) throw new NotFoundError('GROUP_NOT_FOUND');
}
