import { requireAuthenticated, type Actor, type AuthenticatedActor } from '../../accounts/index.js';
import { ForbiddenError, NotFoundError } from '../../errors/index.js';
import { requireGroupAllowedByKey, requireScope, type Caller } from '../access/authorization.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { toMemberView } from '../model/group-view.js';
import { toCallerGroupView, withLockedGroup, type GroupWriteDeps } from '../transaction/with-locked-group.js';
import { applyResponse, type ResponseParams, type UpdateMemberStatusResult } from './apply-response.js';
import type { ResponseBatcher } from './response-batcher.js';

export interface UpdateMemberStatusDeps extends GroupWriteDeps {
  readonly responses: ResponseBatcher;
}

/**
 * Records one member's response and updates the group's counts and state. The current response changes nothing.
 *
 * A response that needs no other right than its author has by being the member, or by the scope of an API key, shares
 * its statements with concurrent responses to the group. Others are decided alone, under the group's row lock.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `NOT_YOUR_MEMBERSHIP`, `SCOPE_REQUIRED`
 * @throws PreconditionError `REVISION_CHANGED`
 * @throws ConflictError `RESPONSES_CLOSED` after the group's deadline or cancellation, unless `status` is DECLINED
 */
export async function updateMemberStatus(
  deps: UpdateMemberStatusDeps,
  actor: Actor,
  params: ResponseParams,
): Promise<UpdateMemberStatusResult> {
  const caller = requireAuthenticated(actor);
  requireGroupAllowedByKey(caller, params.groupId);
  const outcome = respondsByOwnRight(caller, params.userId)
    ? await deps.responses.respond({ actor: caller, params })
    : null;
  if (outcome?.kind === 'applied') return outcome.result;
  if (outcome?.kind === 'rejected') throw outcome.error;
  return updateUnderLock(deps, caller, params);
}

/** Whether the caller may respond for this user in every group of which the user is a member. */
function respondsByOwnRight(caller: AuthenticatedActor, userId: string): boolean {
  return caller.kind === 'user' ? caller.userId === userId : caller.scopes.includes('responses:write');
}

function updateUnderLock(
  deps: GroupWriteDeps,
  actor: AuthenticatedActor,
  params: ResponseParams,
): Promise<UpdateMemberStatusResult> {
  const { groupId, userId } = params;
  return withLockedGroup(deps, actor, { groupId, userIds: [userId] }, async (tx) => {
    const member = tx.members.get(userId);
    if (member === undefined) throw new NotFoundError('MEMBER_NOT_FOUND');
    await requireMayRespondFor(tx.caller, userId);
    const invitations = await PersonalInvitations.load(tx, { userIds: [userId] });
    const consumeInvitation = invitations.consume.bind(invitations, userId);
    const applied = applyResponse({ ...tx, member, consumeInvitation }, params);
    return { member: toMemberView(member), group: toCallerGroupView(tx), ...applied };
  });
}

async function requireMayRespondFor(caller: Caller, userId: string): Promise<void> {
  if (caller.kind === 'service') requireScope(caller.actor, 'responses:write');
  else if (caller.actor.userId !== userId && !(await caller.isAdmin())) throw new ForbiddenError('NOT_YOUR_MEMBERSHIP');
}
