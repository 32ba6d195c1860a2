/** Read model of an invitation, for owners of its group, administrators and the invited user. */
export interface InvitationView {
  readonly id: string;
  readonly groupId: string;
  readonly email: string;
  /** Null after the inviter's account was deleted. */
  readonly invitedById: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

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
