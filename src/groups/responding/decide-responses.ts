import type { AuthenticatedActor } from '../../accounts/index.js';
import { DomainError } from '../../errors/index.js';
import { closeInvitation } from '../invitations/close-invitation.js';
import { toGroupView, toMemberView, type MemberView } from '../model/group-view.js';
import { ResponseCounts } from '../model/response-counts.js';
import { GroupLedger, toChangeAuthor, type LedgerGroup, type NewGroupChange } from '../transaction/group-ledger.js';
import {
  applyResponse,
  type AppliedResponse,
  type ResponseParams,
  type UpdateMemberStatusResult,
} from './apply-response.js';
import type { PersonalInvitation, RespondingGroup } from './responding-group.js';

/** One response, by a caller who may respond for the member if the user is one. */
export interface ResponseRequest {
  readonly actor: AuthenticatedActor;
  readonly params: ResponseParams;
}

/** The result of one response, or why it is rejected. */
export type ResponseOutcome =
  | { readonly kind: 'applied'; readonly result: UpdateMemberStatusResult }
  | { readonly kind: 'rejected'; readonly error: DomainError }
  | { readonly kind: 'no member' };

/** What several responses change. */
export interface ResponseChanges {
  /** The revision that was read. */
  readonly expectedRevision: number;
  /** After all changes. */
  readonly group: LedgerGroup;
  /** The changed members, after all changes. */
  readonly members: readonly MemberView[];
  readonly claimedInvitationIds: readonly string[];
  /** In ascending order of revision. */
  readonly revisions: readonly NewGroupChange[];
}

export interface ResponseDecision {
  /** In the order of the requests. */
  readonly outcomes: readonly ResponseOutcome[];
  readonly changes: ResponseChanges;
}

type Draft<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Applies responses to copies of what was read, one after another: each sees the results of those before it, and is a
 * revision of its own. Reads and writes nothing.
 */
export function decideResponses(
  { group: stored, members: storedMembers, invitations }: RespondingGroup,
  requests: readonly ResponseRequest[],
  now: Date,
): ResponseDecision {
  const group = { ...stored, counts: Object.assign(new ResponseCounts(), stored.counts) };
  const members = new Map<string, Draft<MemberView>>(
    [...storedMembers].map(([userId, member]) => [userId, { ...member }]),
  );
  const unanswered = new Map<string, PersonalInvitation>(invitations);
  const changedMembers = new Set<MemberView>();
  const claimedInvitationIds: string[] = [];
  const revisions: NewGroupChange[] = [];

  const consumeInvitation = (userId: string, counts: ResponseCounts): void => {
    const invitation = unanswered.get(userId);
    if (invitation === undefined) return;
    closeInvitation(counts, { ...invitation }, 'CLAIMED');
    unanswered.delete(userId);
    claimedInvitationIds.push(invitation.id);
  };

  const apply = ({ actor, params }: ResponseRequest, member: Draft<MemberView>): AppliedResponse =>
    applyResponse(
      {
        group,
        member,
        now,
        ledger: new GroupLedger(group, toChangeAuthor(actor), now, (revision) => revisions.push(revision)),
        consumeInvitation: (counts) => {
          consumeInvitation(params.userId, counts);
        },
      },
      params,
    );

  const decide = (request: ResponseRequest): ResponseOutcome => {
    const member = members.get(request.params.userId);
    if (member === undefined) return { kind: 'no member' };
    try {
      const applied = apply(request, member);
      if (applied.changed) changedMembers.add(member);
      const view = toMemberView(member, member.user);
      const viewerMembership = request.actor.kind === 'user' ? view : null;
      return {
        kind: 'applied',
        result: { member: view, group: toGroupView(group, now, { viewerMembership }), ...applied },
      };
    } catch (error) {
      if (error instanceof DomainError) return { kind: 'rejected', error };
      throw error;
    }
  };

  return {
    outcomes: requests.map(decide),
    changes: {
      expectedRevision: stored.revision,
      group,
      members: [...changedMembers],
      claimedInvitationIds,
      revisions,
    },
  };
}
