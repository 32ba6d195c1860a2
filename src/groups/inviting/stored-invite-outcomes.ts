import { requireOwner } from '../access/authorization.js';
import { toInvitationView } from '../invitations/invitation-view.js';
import { Invitation } from '../invitations/invitation.entity.js';
import { toMemberView } from '../model/member-view.js';
import { findMembers, toCallerGroupView, type AuthorizedGroupTransaction } from '../transaction/with-locked-group.js';
import { INVITE_OUTCOMES, type InviteOutcome, type InviteResult, type InviteToGroupResult } from './invite-to-group.js';

/** One outcome as it is kept under an Idempotency-Key. */
type Kept = readonly [outcome: InviteOutcome, id: string | null];

/** What is kept of an invitation: the outcomes, with the ids of the members and invitations that they made. */
export function toStoredOutcomes({ results }: InviteToGroupResult): Kept[] {
  return results.map(({ outcome, member, invitation }) => [outcome, member?.userId ?? invitation?.id ?? null]);
}

/** The outcomes of an invitation that was made before; whoever has gone since has an outcome all the same. */
export async function restoreInviteResult(tx: AuthorizedGroupTransaction, made: unknown): Promise<InviteToGroupResult> {
  await requireOwner(tx.caller);
  const kept = Array.isArray(made) ? made.filter(isKept) : [];
  const ids = kept.flatMap(([, id]) => id ?? []);
  const members = await findMembers(tx.em, tx.group.id, ids);
  const invitations = new Map(
    (await tx.em.find(Invitation, { id: { $in: ids } })).map((invitation) => [invitation.id, invitation]),
  );
  const results = kept.map(([outcome, id]): InviteResult => {
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

function isKept(value: unknown): value is Kept {
  if (!Array.isArray(value)) return false;
  const entries: readonly unknown[] = value;
  const [outcome, id] = entries;
  return INVITE_OUTCOMES.some((known) => known === outcome) && (id === null || typeof id === 'string');
}
