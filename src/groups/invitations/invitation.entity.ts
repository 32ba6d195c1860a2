import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const INVITATION_STATUSES = ['OPEN', 'LAPSED', 'CLAIMED', 'DECLINED', 'REVOKED'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** The statuses in which an invitation counts in its group. */
export const UNANSWERED = ['OPEN', 'LAPSED'] as const satisfies readonly InvitationStatus[];

/** A place in a group that was offered to an email address, whether or not anyone has registered with it. */
@Entity({ tableName: 'invitation' })
export class Invitation {
  [OptionalProps]?: 'status';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  groupId!: string;

  /** As the inviter typed it. */
  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  emailKey!: string;

  /** Null once the inviter's account is gone. */
  @Property({ type: 'uuid', nullable: true })
  invitedById: string | null = null;

  /** Inviting again raises it, which ends the link that was mailed before. */
  @Property({ type: 'integer' })
  issue!: number;

  /** OPEN can be claimed; LAPSED has expired, but the person still counts as asked; the others are over. */
  @Property({ type: 'text' })
  status: InvitationStatus = 'OPEN';

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;
}

/** Whether it can be claimed: expired ones cannot, also before that is recorded. */
export function isClaimable(invitation: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return invitation.status === 'OPEN' && invitation.expiresAt > now;
}
