import { requireAuthenticated, type Actor, type AuthenticatedActor, type Clock } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { toGroupView, type GroupView } from '../model/group-view.js';
import { toScoreView, type ScoreView } from '../model/score-view.js';
import { requireGroupAllowedByKey, requireScope } from './authorization.js';
import type { GroupAccessKey, GroupAccessLoaders, ScoredGroupAccess } from './group-access-loader.js';
import type { GroupDetailsLoaders } from './group-details-loader.js';

export interface GetGroupDeps {
  readonly loaders: GroupAccessLoaders & GroupDetailsLoaders;
  readonly clock: Clock;
}

/** What a read of a group includes besides the group, by the same statement. */
export interface GroupSelection {
  /** The current score. */
  readonly score: boolean;
  /** The caller's membership. Then the score is included too. */
  readonly membership: boolean;
}

/**
 * Reads a group for a member, an administrator, or an API client with scope `groups:read`. The state takes a passed
 * deadline into account, recorded or not. What is not selected is loaded when it is needed.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND` when the group does not exist or the caller has no access
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function getGroup(
  deps: GetGroupDeps,
  actor: Actor,
  groupId: string,
  selection: GroupSelection = { score: true, membership: true },
): Promise<GroupView> {
  const authenticated = requireAuthenticated(actor);
  requireGroupAllowedByKey(authenticated, groupId);
  const callerId = authenticated.kind === 'user' ? authenticated.userId : null;
  const view = await readerFor(selection)(deps, { groupId, callerId });
  if (view === null) throw new NotFoundError('GROUP_NOT_FOUND');
  requireReadScope(authenticated);
  return view;
}

/** Reads the group of a key. Null when it does not exist or the caller has no access. */
type ReadGroup = (deps: GetGroupDeps, key: GroupAccessKey) => Promise<GroupView | null>;

function readerFor({ score, membership }: GroupSelection): ReadGroup {
  if (membership) return readGroupWithDetails;
  return score ? readScoredGroup : readGroup;
}

const readGroup: ReadGroup = async ({ loaders, clock }, key) => {
  const access = await loaders.groupAccess(key);
  if (!isVisible(access, key)) return null;
  const { group, membersVersion } = access;
  return toGroupView(group, clock.now(), { membersVersion });
};

const readScoredGroup: ReadGroup = async ({ loaders, clock }, key) => {
  const access = await loaders.scoredGroupAccess(key);
  if (!isVisible(access, key)) return null;
  const { group, membersVersion } = access;
  return toGroupView(group, clock.now(), { compatibilityScore: scoreOf(access), membersVersion });
};

const readGroupWithDetails: ReadGroup = async ({ loaders, clock }, key) => {
  const access = await loaders.groupDetails(key);
  const isInsider = key.callerId === null || access?.membership != null || access?.callerIsAdmin === true;
  if (access === null || !isInsider) return null;
  const { group, membership, membersVersion } = access;
  const compatibilityScore = scoreOf(access);
  return toGroupView(group, clock.now(), { viewerMembership: membership, compatibilityScore, membersVersion });
};

function isVisible<Access extends { readonly callerIsInsider: boolean }>(
  access: Access | null,
  { callerId }: GroupAccessKey,
): access is Access {
  return access !== null && (callerId === null || access.callerIsInsider);
}

function scoreOf({ group, score }: Pick<ScoredGroupAccess, 'group' | 'score'>): ScoreView | null {
  return score === null ? null : toScoreView(score, group);
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
