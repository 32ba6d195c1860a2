import type { Stored } from '../../database/index.js';
import type { Invitation } from './invitation.entity.js';

export const INVITATION_VIEW_FIELDS = ['id', 'groupId', 'email', 'invitedById', 'createdAt', 'expiresAt'] as const;

/** Read model of an invitation, for owners of its group, administrators and the invited user. */
export type InvitationView = Pick<Stored<Invitation>, (typeof INVITATION_VIEW_FIELDS)[number]>;

/** Copies the values, so that the view does not change when the entity does. */
export function toInvitationView({
  id,
  groupId,
  email,
  invitedById,
  createdAt,
  expiresAt,
}: InvitationView): InvitationView {
  return { id, groupId, email, invitedById, createdAt, expiresAt };
}
