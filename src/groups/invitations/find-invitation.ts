import { requireAuthenticated, type Actor, type Clock } from '../../accounts/index.js';
import type { InvitationAccessLoaders } from './invitation-access-loader.js';
import type { InvitationView } from './invitation-view.js';
import { isClaimable, UNANSWERED } from './invitation.entity.js';

interface FindInvitationDeps {
  readonly loaders: InvitationAccessLoaders;
  readonly clock: Clock;
}

/**
 * Finds an invitation that one of the caller's lists contains: an unanswered one for owners of its group and
 * administrators, and one that can be claimed for the user whose verified address is invited.
 *
 * @returns null when there is none, and for API clients
 * @throws UnauthenticatedError when the caller is anonymous
 */
export async function findInvitation(
  { loaders, clock }: FindInvitationDeps,
  actor: Actor,
  invitationId: string,
): Promise<InvitationView | null> {
  const caller = requireAuthenticated(actor);
  if (caller.kind === 'service') return null;
  const access = await loaders.invitationAccess({ invitationId, callerId: caller.userId });
  if (access === null) return null;
  const { invitation, status, callerRole, callerIsAdmin, isToCaller } = access;
  const isListedInGroup = UNANSWERED.some((each) => each === status) && (callerRole === 'OWNER' || callerIsAdmin);
  const isInInbox = isToCaller && isClaimable({ status, expiresAt: invitation.expiresAt }, clock.now());
  return isListedInGroup || isInInbox ? invitation : null;
}
