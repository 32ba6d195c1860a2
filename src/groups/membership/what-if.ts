import type { Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import type { GroupsDeps } from '../deps.js';
import { acceptsResponse, type GroupState } from '../model/group-state.js';
import { currentState, type GroupView } from '../model/group-view.js';
import { projectState } from '../model/project-state.js';
import { adjustCounts, type ResponseStatus } from '../model/response-counts.js';
import { findMember } from './find-member.js';

export interface WhatIfParams {
  readonly userId: string;
  readonly status: ResponseStatus;
}

/**
 * The state that a group would have if a member answered so; nothing is written.
 *
 * An answer that the group no longer takes would change nothing, and so leaves the state as it is.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `MEMBER_NOT_FOUND`, or `GROUP_NOT_FOUND` for someone who is merely invited
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function whatIf(
  deps: Pick<GroupsDeps, 'loaders' | 'clock'>,
  actor: Actor,
  group: GroupView,
  { userId, status }: WhatIfParams,
): Promise<GroupState> {
  const member = await findMember(deps, actor, group, userId);
  if (member === null) throw new NotFoundError('MEMBER_NOT_FOUND');
  const now = deps.clock.now();
  if (!acceptsResponse(group, status, now)) return currentState(group, now).state;
  return projectState(group, now, (counts) => {
    adjustCounts(counts, member.status, status);
  });
}
