import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { requireOwner } from '../access/authorization.js';
import { revokeOpenInvitations } from '../invitations/revoke-invitation.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
  type GroupPayload,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';

export interface CancelGroupParams {
  readonly groupId: string;
}

/**
 * Cancels a group permanently and revokes its open invitations. Changes nothing when the group is cancelled already.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function cancelGroup(
  deps: GroupWriteDeps,
  actor: Actor,
  params: CancelGroupParams,
): Promise<GroupPayload> {
  return withLockedGroup(deps, requireAuthenticated(actor), params, async (tx) => {
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
