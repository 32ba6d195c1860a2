import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Enum, Index, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../../accounts/index.js';
import { Group } from './group.entity.js';
import { RESPONSE_STATUSES, type ResponseStatus } from './response-counts.js';

export const GROUP_ROLES = ['OWNER', 'MEMBER'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];

/** One user's membership in one group, with their response. */
@Entity({ tableName: 'member' })
@Index({ name: 'member_listed', properties: ['groupId', 'invitedAt', 'userId'] })
@Index({ name: 'member_listed_by_status', properties: ['groupId', 'status', 'invitedAt', 'userId'] })
@Index({
  name: 'member_of_user',
  columns: [{ name: 'user_id' }, { name: 'invited_at', sort: 'desc' }, { name: 'group_id', sort: 'desc' }],
})
@Index({ name: 'member_owner', properties: ['groupId'], where: `role = 'OWNER'` })
@Index({ name: 'member_inviter', properties: ['invitedById'], where: 'invited_by_id is not null' })
export class Member {
  [PrimaryKeyProp]?: ['groupId', 'userId'];

  @ManyToOne({
    entity: () => Group,
    primary: true,
    mapToPk: true,
    deleteRule: 'cascade',
    updateRule: 'no action',
  })
  groupId!: string;

  @ManyToOne({
    entity: () => Account,
    primary: true,
    mapToPk: true,
    deleteRule: 'no action',
    updateRule: 'no action',
  })
  userId!: string;

  @Enum({ type: 'text', items: GROUP_ROLES })
  role!: GroupRole;

  @Enum({ type: 'text', items: RESPONSE_STATUSES })
  status!: ResponseStatus;

  /** Null for the creator, and after the inviter's account was deleted. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  invitedById: string | null = null;

  @Property({ type: 'datetime', length: 3 })
  invitedAt!: Date;

  /** Null before the first response. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  respondedAt: Date | null = null;

  /** Increases with every change of this member. */
  @Property({ type: 'integer' })
  revision!: number;
}
