import { requireOwner } from '../access/authorization.js';
import { toInvitationView, type InvitationView } from '../invitations/invitation-view.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { toMemberView, type MemberView } from '../model/group-view.js';
import {
  findMembersByUserId,
  toCallerGroupView,
  type AuthorizedGroupTransaction,
  type GroupPayload,
} from '../transaction/with-locked-group.js';

const INVITE_OUTCOMES = ['INVITED', 'ALREADY_MEMBER', 'USER_NOT_FOUND', 'INVITATION_SENT'] as const;
export type InviteOutcome = (typeof INVITE_OUTCOMES)[number];

/** Result of one invitee. */
export interface InviteResult {
  readonly outcome: InviteOutcome;
  /** Null for an email address, and when the user does not exist. */
  readonly member: MemberView | null;
  /** Null unless the outcome is INVITATION_SENT. */
  readonly invitation: InvitationView | null;
}

export interface InviteToGroupResult extends GroupPayload {
  /** In the order of the invitees. */
  readonly results: readonly InviteResult[];
}

/** One outcome as the idempotency record stores it, with the id of its member or invitation. */
type StoredOutcome = readonly [outcome: InviteOutcome, id: string | null];

/** Serializes the outcomes for the idempotency record. */
export function toStoredOutcomes({ results }: InviteToGroupResult): StoredOutcome[] {
  return results.map(({ outcome, member, invitation }) => [outcome, member?.userId ?? invitation?.id ?? null]);
}

/**
 * Restores the result of an earlier request from its stored outcomes. An outcome remains when its member or invitation
 * was deleted meanwhile.
 */
export async function restoreInviteResult(
  tx: AuthorizedGroupTransaction,
  storedResult: unknown,
): Promise<InviteToGroupResult> {
  await requireOwner(tx.caller);
  const outcomes = Array.isArray(storedResult) ? storedResult.filter(isStoredOutcome) : [];
  const ids = outcomes.flatMap(([, id]) => id ?? []);
  const members = await findMembersByUserId(tx.em, tx.group.id, ids);
  const invitations = new Map(
    (await tx.em.find(Invitation, { id: { $in: ids } })).map((invitation) => [invitation.id, invitation]),
  );
  const results = outcomes.map(([outcome, id]): InviteResult => {
    const member = members.get(id ?? '');
    const invitation = invitations.get(id ?? '');
    return {
      outcome,
      member: member ? toMemberView(member) : null,
      invitation: invitation ? toInvitationView(invitation) : null,
    };
  });
  return { group: toCallerGroupView(tx), results };
}

function isStoredOutcome(value: unknown): value is StoredOutcome {
  if (!Array.isArray(value)) return false;
  const entries: readonly unknown[] = value;
  const [outcome, id] = entries;
  return INVITE_OUTCOMES.some((known) => known === outcome) && (id === null || typeof id === 'string');
}
