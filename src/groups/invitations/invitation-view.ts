import type { Stored } from '../../database/index.js';
import type { Invitation } from './invitation.entity.js';

export const INVITATION_VIEW_FIELDS = ['id', 'groupId', 'email', 'invitedById', 'createdAt', 'expiresAt'] as const;

/** An invitation as its inviters and its invitee see it. */
export type InvitationView = Pick<Stored<Invitation>, (typeof INVITATION_VIEW_FIELDS)[number]>;

/** Copies, so that a view keeps saying what it said when the entity behind it changes. */
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
