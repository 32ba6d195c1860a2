import { ConflictError, PreconditionError } from '../../errors/index.js';
import { acceptsResponse, type GroupState } from '../model/group-state.js';
import { currentState, type MemberView, type StoredGroup, type StoredMember } from '../model/group-view.js';
import { adjustCounts, type ResponseCounts, type ResponseStatus } from '../model/response-counts.js';
import type { GroupLedger, LedgerGroup } from '../transaction/group-ledger.js';
import type { GroupPayload } from '../transaction/with-locked-group.js';

export interface ResponseParams {
  readonly groupId: string;
  readonly userId: string;
  readonly status: ResponseStatus;
  /** Revision of the member that the caller has read; null or absent to skip the check. */
  readonly expectedRevision?: number | null | undefined;
}

/** What one response changes. */
export interface ResponseTarget {
  readonly group: LedgerGroup & StoredGroup;
  readonly member: Pick<StoredMember, 'userId'> & {
    -readonly [Name in 'status' | 'respondedAt' | 'revision']: MemberView[Name];
  };
  readonly ledger: GroupLedger;
  readonly now: Date;
  /** Marks the unanswered invitation to the member's verified address as claimed, if there is one. */
  readonly consumeInvitation: (counts: ResponseCounts) => void;
}

export interface AppliedResponse {
  /** False when the member had this response already. */
  readonly changed: boolean;
  /** State of the group immediately before. */
  readonly previousState: GroupState;
}

export interface UpdateMemberStatusResult extends GroupPayload, AppliedResponse {
  readonly member: MemberView;
}

/**
 * Applies one member's response to the group and the member, and records its revision. The current response changes
 * nothing. The caller has checked who responds.
 *
 * @throws PreconditionError `REVISION_CHANGED`
 * @throws ConflictError `RESPONSES_CLOSED` after the group's deadline or cancellation, unless the response is DECLINED
 */
export function applyResponse(
  { group, member, ledger, now, consumeInvitation }: ResponseTarget,
  { status, expectedRevision }: ResponseParams,
): AppliedResponse {
  if ((expectedRevision ?? member.revision) !== member.revision) throw new PreconditionError();
  const previousState = currentState(group, now).state;
  if (member.status === status) return { changed: false, previousState };
  if (!acceptsResponse(group, status, now)) throw new ConflictError('RESPONSES_CLOSED');
  ledger.record({ cause: 'RESPONSE', subjectId: member.userId, status }, ({ counts }) => {
    adjustCounts(counts, member.status, status);
    consumeInvitation(counts);
  });
  member.status = status;
  member.respondedAt = now;
  member.revision += 1;
  return { changed: true, previousState };
}
