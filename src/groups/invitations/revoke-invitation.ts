import type { EntityManager } from '@mikro-orm/postgresql';
import { requireAuthenticated, type Actor } from '../../accounts/index.js';
import { NotFoundError } from '../../errors/index.js';
import { requireOwner } from '../access/authorization.js';
import type { GroupsDeps } from '../deps.js';
import type { GroupPayload } from '../transaction/group-payload.js';
import {
  toCallerGroupView,
  withLockedGroup,
  type AuthorizedGroupTransaction,
} from '../transaction/with-locked-group.js';
import { closeInvitation } from './close-invitation.js';
import { invitationNotFound } from './invitation-not-found.js';
import { Invitation } from './invitation.entity.js';
import { findGroupOfInvitation } from './lock-invitation.js';

export interface RevokeInvitationParams {
  readonly invitationId: string;
}

/**
 * Takes back a place that was offered to an address; its link stops working. Revoking it again changes nothing.
 *
 * @throws UnauthenticatedError when nobody is signed in
 * @throws NotFoundError `INVITATION_NOT_FOUND` when there is none, or none that the caller may know of; also once it was claimed or declined
 * @throws ForbiddenError `OWNER_REQUIRED`, `SCOPE_REQUIRED`
 */
export async function revokeInvitation(
  deps: GroupsDeps,
  actor: Actor,
  { invitationId }: RevokeInvitationParams,
): Promise<GroupPayload> {
  const known = requireAuthenticated(actor);
  const groupId = await findGroupOfInvitation(deps, invitationId);
  if (groupId === null) throw invitationNotFound();
  return maskGroupNotFound(
    withLockedGroup(deps, known, { groupId }, async (tx) => {
      await requireOwner(tx.caller);
      const invitation = await tx.em.findOne(Invitation, invitationId);
      if (invitation === null || invitation.status === 'CLAIMED' || invitation.status === 'DECLINED')
        throw invitationNotFound();
      revoke(tx, invitation);
      return { group: toCallerGroupView(tx) };
    }),
  );
}

/** To a stranger, the invitation of a group is as unknown as the group. */
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

/** Revokes all of a locked group's open invitations; the count is the caller's to set. */
export async function revokeOpenInvitations(em: EntityManager, groupId: string): Promise<void> {
  await em.nativeUpdate(Invitation, { groupId, status: 'OPEN' }, { status: 'REVOKED' });
}
