import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { ConflictError, ForbiddenError, NotFoundError, PreconditionError } from '../../errors/index.js';
import { requireScope, type Caller } from '../access/authorization.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { acceptsResponse, type GroupState } from '../model/group-state.js';
import { currentState, toMemberView, type MemberView } from '../model/group-view.js';
import type { Member } from '../model/member.entity.js';
import { adjustCounts, type ResponseStatus } from '../model/response-counts.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
  type GroupPayload,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';

export interface UpdateMemberStatusParams {
  readonly groupId: string;
  readonly userId: string;
  readonly status: ResponseStatus;
  /** Revision of the member that the caller has read; null or absent to skip the check. */
  readonly expectedRevision?: number | null | undefined;
}

export interface UpdateMemberStatusResult extends GroupPayload {
  readonly member: MemberView;
  /** False when the member had this response already. */
  readonly changed: boolean;
  /** State of the group immediately before. */
  readonly previousState: GroupState;
}

/**
 * Records one member's response and updates the group's counts and state. The current response changes nothing.
 *
 * Runs under the group's row lock; without it, concurrent responses would be lost from the counts.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `NOT_YOUR_MEMBERSHIP`, `SCOPE_REQUIRED`
 * @throws PreconditionError `REVISION_CHANGED`
 * @throws ConflictError `RESPONSES_CLOSED` after the group's deadline or cancellation, unless `status` is DECLINED
 */
export async function updateMemberStatus(
  deps: GroupWriteDeps,
  actor: Actor,
  params: UpdateMemberStatusParams,
): Promise<UpdateMemberStatusResult> {
  const { groupId, userId, status } = params;
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId, userIds: [userId] }, async (tx) => {
    const member = tx.members.get(userId);
    if (member === undefined) throw new NotFoundError('MEMBER_NOT_FOUND');
    await requireMayRespondFor(tx.caller, userId);
    if ((params.expectedRevision ?? member.revision) !== member.revision) throw new PreconditionError();
    const previousState = currentState(tx.group, tx.now).state;
    const changed = member.status !== status;
    if (changed) await recordResponse(tx, member, status);
    return { member: toMemberView(member), group: toCallerGroupView(tx), changed, previousState };
  });
}

async function requireMayRespondFor(caller: Caller, userId: string): Promise<void> {
  if (caller.kind === 'service') requireScope(caller.actor, 'responses:write');
  else if (caller.actor.userId !== userId && !(await caller.isAdmin())) throw new ForbiddenError('NOT_YOUR_MEMBERSHIP');
}

async function recordResponse(tx: AuthorizedGroupTransaction, member: Member, status: ResponseStatus): Promise<void> {
  const { group, ledger, now } = tx;
  if (!acceptsResponse(group, status, now)) throw new ConflictError('RESPONSES_CLOSED');
  const invitations = await PersonalInvitations.load(tx, { userIds: [member.userId] });
  ledger.record({ cause: 'RESPONSE', subjectId: member.userId, status }, ({ counts }) => {
    adjustCounts(counts, member.status, status);
    invitations.consume(member.userId, counts);
  });
  member.status = status;
  member.respondedAt = now;
  member.revision += 1;
}
