import type { Actor, Clock } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { acceptsResponse, projectState, type GroupState } from '../model/group-state.js';
import { currentState, type GroupView } from '../model/group-view.js';
import { adjustCounts, type ResponseStatus } from '../model/response-counts.js';
import { findMember, type FindMemberDeps } from './find-member.js';

export interface WhatIfParams {
  readonly userId: string;
  readonly status: ResponseStatus;
}

interface WhatIfDeps extends FindMemberDeps {
  readonly clock: Clock;
}

/**
 * Computes the state that a group would have if a member gave a response. Writes nothing.
 *
 * @returns the current state when the group does not accept the response
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `MEMBER_NOT_FOUND`; `GROUP_NOT_FOUND` for an invitee
 * @throws ForbiddenError `SCOPE_REQUIRED`
 */
export async function whatIf(
  deps: WhatIfDeps,
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
