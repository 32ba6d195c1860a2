import type { EntityManager } from '@mikro-orm/postgresql';
import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
  type GroupPayload,
  type GroupWriteDeps,
} from '../transaction/with-locked-group.js';
import { closeInvitation } from './close-invitation.js';
import { Invitation } from './invitation.entity.js';
import { findGroupOfInvitation, invitationNotFound } from './lock-invitation.js';

export interface RevokeInvitationParams {
  readonly invitationId: string;
}

/**
 * Revokes an invitation, which invalidates its link. Changes nothing when it is revoked already.
 *
 * @throws UnauthenticatedError when the caller is anonymous
 * @throws NotFoundError `INVITATION_NOT_FOUND` when it does not exist, was claimed or declined, or the caller has no
 *   access to its group
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function revokeInvitation(
  deps: GroupWriteDeps,
  actor: Actor,
  { invitationId }: RevokeInvitationParams,
): Promise<GroupPayload> {
  const authenticated = requireAuthenticated(actor);
  const groupId = await findGroupOfInvitation(deps, invitationId);
  if (groupId === null) throw invitationNotFound();
  return maskGroupNotFound(
    withLockedGroup(deps, authenticated, { groupId }, async (tx) => {
      await requireOwner(tx.caller);
      const invitation = await tx.em.findOne(Invitation, invitationId);
      if (invitation === null || invitation.status === 'CLAIMED' || invitation.status === 'DECLINED')
        throw invitationNotFound();
      revoke(tx, invitation);
      return { group: toCallerGroupView(tx) };
    }),
  );
}

/** Turns `GROUP_NOT_FOUND` into `INVITATION_NOT_FOUND`, the error for an invitation that does not exist. */
async function maskGroupNotFound<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof NotFoundError ? invitationNotFound() : error;
  }
}

function revoke({ ledger }: AuthorizedGroupTransaction, invitation: Invitation): void {
  if (invitation.status === 'REVOKED') return;
  ledger.record({ cause: 'INVITATION_REVOKED' }, ({ counts }) => {
    closeInvitation(counts, invitation, 'REVOKED');
  });
}

/** Revokes all open invitations of a locked group. The caller adjusts the group's counts. */
export async function revokeOpenInvitations(em: EntityManager, groupId: string): Promise<void> {
  await em.nativeUpdate(Invitation, { groupId, status: 'OPEN' }, { status: 'REVOKED' });
}
