/** An invitation as those see it who may know of it. */
export interface InvitationView {
  readonly id: string;
  readonly groupId: string;
  readonly email: string;
  readonly invitedById: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

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
