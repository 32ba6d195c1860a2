import { type Actor, requireKnown } from '../accounts/index.js';
import { requireOwner } from './caller.js';
import { changeGroup, type LockedGroup, viewOfLocked } from './change-group.js';
import type { GroupsDeps } from './deps.js';
import type { GroupPayload } from './group-payload.js';
import { revokeOpen } from './invitations/revoke-invitation.js';

export interface CancelGroupInput {
  readonly groupId: string;
}

/**
 * Ends a group for good, and with it its open invitations; doing so again changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `GROUP_NOT_FOUND`
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function cancelGroup(deps: GroupsDeps, actor: Actor, input: CancelGroupInput): Promise<GroupPayload> {
  return changeGroup(deps, requireKnown(actor), input, async (locked) => {
    await requireOwner(locked.caller);
    if (locked.group.cancelledAt === null) await cancel(locked);
    return { group: viewOfLocked(locked) };
  });
}

async function cancel({ em, group, ledger, now }: LockedGroup): Promise<void> {
  await revokeOpen(em, group.id);
  ledger.record({ cause: 'CANCELLED' }, () => {
    group.cancelledAt = now;
    group.counts.openInvitations = 0;
  });
}
