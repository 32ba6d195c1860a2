import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export type InvitationStatus = 'OPEN' | 'LAPSED' | 'CLAIMED' | 'DECLINED' | 'REVOKED';

/** Statuses in which an invitation is part of its group's counts. */
export const UNANSWERED = ['OPEN', 'LAPSED'] as const satisfies readonly InvitationStatus[];

/** An invitation of an email address to a group. The address may belong to an account or to none. */
@Entity({ tableName: 'invitation' })
export class Invitation {
  [OptionalProps]?: 'status';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  groupId!: string;

  /** As the inviter entered it, in NFC. */
  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  emailKey!: string;

  /** Null after the inviter's account was deleted. */
  @Property({ type: 'uuid', nullable: true })
  invitedById: string | null = null;

  /** Number of the link. Inviting again increases it, which invalidates the earlier link. */
  @Property({ type: 'integer' })
  issue!: number;

  /** OPEN can be claimed. LAPSED has expired but still counts as unanswered. The others are final. */
  @Property({ type: 'text' })
  status: InvitationStatus = 'OPEN';

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  @Property({ type: 'timestamptz(3)' })
  expiresAt!: Date;
}

/** Whether an invitation can be claimed. An expired one cannot, recorded or not. */
export function isClaimable(invitation: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return invitation.status === 'OPEN' && invitation.expiresAt > now;
}
