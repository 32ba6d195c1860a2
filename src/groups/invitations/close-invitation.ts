import type { ResponseCounts } from '../model/response-counts.js';
import type { GroupLedger } from '../transaction/group-ledger.js';
import type { Invitation, InvitationStatus } from './invitation.entity.js';

/** Sets the final status of an invitation and subtracts it from its count. Call within `GroupLedger.record`. */
export function closeInvitation(
  counts: ResponseCounts,
  invitation: Pick<Invitation, 'status'>,
  status: Exclude<InvitationStatus, 'OPEN' | 'LAPSED'>,
): void {
  if (invitation.status === 'OPEN') counts.openInvitations -= 1;
  if (invitation.status === 'LAPSED') counts.lapsedInvitations -= 1;
  invitation.status = status;
}

/** Records that an open invitation has expired. Expired invitations still count as unanswered. */
export function lapseInvitation(ledger: GroupLedger, invitation: Invitation): void {
  ledger.recordAsSystem({ cause: 'INVITATION_EXPIRED' }, ({ counts }) => {
    counts.openInvitations -= 1;
    counts.lapsedInvitations += 1;
    invitation.status = 'LAPSED';
  });
}
