import { OptionalProps } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Account } from '../../accounts/index.js';
import { Group } from '../model/group.entity.js';

const INVITATION_STATUSES = ['OPEN', 'LAPSED', 'CLAIMED', 'DECLINED', 'REVOKED'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Statuses in which an invitation is part of its group's counts. */
export const UNANSWERED = ['OPEN', 'LAPSED'] as const satisfies readonly InvitationStatus[];

/** An invitation of an email address to a group. The address may belong to an account or to none. */
@Entity({ tableName: 'invitation' })
@Unique({
  name: 'invitation_once_per_address',
  properties: ['groupId', 'emailKey'],
  where: `status in ('OPEN', 'LAPSED')`,
})
@Index({ name: 'invitation_of_group', properties: ['groupId'] })
@Index({
  name: 'invitation_listed',
  properties: ['groupId', 'createdAt', 'id'],
  where: `status in ('OPEN', 'LAPSED')`,
})
@Index({ name: 'invitation_of_address', properties: ['emailKey', 'createdAt', 'id'], where: `status = 'OPEN'` })
@Index({ name: 'invitation_to_address', properties: ['emailKey'] })
@Index({ name: 'invitation_to_expire', properties: ['expiresAt'], where: `status = 'OPEN'` })
@Index({
  name: 'invitation_closed',
  properties: ['expiresAt'],
  where: `status in ('CLAIMED', 'DECLINED', 'REVOKED')`,
})
@Index({ name: 'invitation_inviter', properties: ['invitedById'], where: 'invited_by_id is not null' })
export class Invitation {
  [OptionalProps]?: 'status';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @ManyToOne({ entity: () => Group, mapToPk: true, deleteRule: 'cascade' })
  groupId!: string;

  /** As the inviter entered it, in NFC. */
  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  emailKey!: string;

  /** Null after the inviter's account was deleted. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  invitedById: string | null = null;

  /** Number of the link. Inviting again increases it, which invalidates the earlier link. */
  @Property({ type: 'integer' })
  issue!: number;

  /** OPEN can be claimed. LAPSED has expired but still counts as unanswered. The others are final. */
  @Enum({ type: 'text', items: INVITATION_STATUSES })
  status: InvitationStatus = 'OPEN';

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;
}

/** Whether an invitation can be claimed. An expired one cannot, recorded or not. */
export function isClaimable(invitation: Pick<Invitation, 'status' | 'expiresAt'>, now: Date): boolean {
  return invitation.status === 'OPEN' && invitation.expiresAt > now;
}
