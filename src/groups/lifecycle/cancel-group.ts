import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { requireOwner } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import { revokeOpenInvitations } from '../invitations/revoke-invitation.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
} from '../transaction/with-locked-group.js';

export interface CancelGroupParams {
  readonly groupId: string;
}

/**
 * Ends a group for good, and with it its open invitations; doing so again changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function cancelGroup(deps: GroupsDeps, actor: Actor, input: CancelGroupParams): Promise<GroupPayload> {
  return withLockedGroup(deps, requireAuthenticated(actor), input, async (tx) => {
    await requireOwner(tx.caller);
    if (tx.group.cancelledAt === null) await cancel(tx);
    return { group: toCallerGroupView(tx) };
  });
}

async function cancel({ em, group, ledger, now }: AuthorizedGroupTransaction): Promise<void> {
  await revokeOpenInvitations(em, group.id);
  ledger.record({ cause: 'CANCELLED' }, () => {
    group.cancelledAt = now;
    group.counts.openInvitations = 0;
  });
}
