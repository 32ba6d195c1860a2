import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { ConflictError, ForbiddenError, NotFoundError, PreconditionError } from '../../errors/index.js';
import { requireScope, type Caller } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import { PersonalInvitations } from '../invitations/personal-invitations.js';
import { acceptsResponse, type GroupState } from '../model/group-state.js';
import { currentState } from '../model/group-view.js';
import { toMemberView, type MemberView } from '../model/member-view.js';
import type { Member } from '../model/member.entity.js';
import { adjustCounts, type ResponseStatus } from '../model/response-counts.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
} from '../transaction/with-locked-group.js';

export interface UpdateMemberStatusParams {
  readonly groupId: string;
  readonly userId: string;
  readonly status: ResponseStatus;
  /** The member's revision that the caller has seen; null or absent for any. */
  readonly expectedRevision?: number | null | undefined;
}

export interface UpdateMemberStatusResult extends GroupPayload {
  readonly member: MemberView;
  /** False when the answer was stored already. */
  readonly changed: boolean;
  /** What the group was immediately before. */
  readonly previousState: GroupState;
}

/**
 * Records one member's answer and brings the group's state up to date with it.
 *
 * The group is locked first: two members answering at the same moment would otherwise each count without the
 * other, and a quorum could be missed or met twice. Repeating the stored answer is a success that changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * @throws ForbiddenError `NOT_YOUR_MEMBERSHIP`, `SCOPE_REQUIRED`
 * @throws PreconditionError `REVISION_CHANGED`
 * @throws ConflictError `RESPONSES_CLOSED` once the group is cancelled or its deadline has passed, unless declining
 */
export async function updateMemberStatus(
  deps: GroupsDeps,
  actor: Actor,
  input: UpdateMemberStatusParams,
): Promise<UpdateMemberStatusResult> {
  const { groupId, userId, status } = input;
  return withLockedGroup(deps, requireAuthenticated(actor), { groupId, userIds: [userId] }, async (tx) => {
    const member = tx.members.get(userId);
    if (member === undefined) throw new NotFoundError('MEMBER_NOT_FOUND');
    await requireMayAnswerFor(tx.caller, userId);
    if ((input.expectedRevision ?? member.revision) !== member.revision) throw new PreconditionError();
    const previousState = currentState(tx.group, tx.now).state;
    const changed = member.status !== status;
    if (changed) await answer(tx, member, status);
    return { member: toMemberView(member), group: toCallerGroupView(tx), changed, previousState };
  });
}

async function requireMayAnswerFor(caller: Caller, userId: string): Promise<void> {
  if (caller.kind === 'service') requireScope(caller.actor, 'responses:write');
  else if (caller.actor.userId !== userId && !(await caller.isAdmin())) throw new ForbiddenError('NOT_YOUR_MEMBERSHIP');
}

async function answer(tx: AuthorizedGroupTransaction, member: Member, status: ResponseStatus): Promise<void> {
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
