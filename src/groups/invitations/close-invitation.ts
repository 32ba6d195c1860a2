import type { ResponseCounts } from '../model/response-counts.js';
import type { GroupLedger } from '../transaction/group-ledger.js';
import type { Invitation, InvitationStatus } from './invitation.entity.js';

/** Takes an invitation out of the count in which it stands, and gives it its last status. */
export function closeInvitation(
  counts: ResponseCounts,
  invitation: Invitation,
  status: Exclude<InvitationStatus, 'OPEN' | 'LAPSED'>,
): void {
  if (invitation.status === 'OPEN') counts.openInvitations -= 1;
  if (invitation.status === 'LAPSED') counts.lapsedInvitations -= 1;
  invitation.status = status;
}

/** The time has run out: nobody can claim it any more, but the person was asked and has not said yes. */
export function lapseInvitation(ledger: GroupLedger, invitation: Invitation): void {
  ledger.recordAsSystem({ cause: 'INVITATION_EXPIRED' }, ({ counts }) => {
    counts.openInvitations -= 1;
    counts.lapsedInvitations += 1;
    invitation.status = 'LAPSED';
  });
}
