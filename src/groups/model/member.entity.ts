import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ResponseStatus } from './response-counts.js';

export const GROUP_ROLES = ['OWNER', 'MEMBER'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];

/** One user's membership in one group, with their response. */
@Entity({ tableName: 'member' })
export class Member {
  [PrimaryKeyProp]?: ['groupId', 'userId'];

  @PrimaryKey({ type: 'uuid' })
  groupId!: string;

  @PrimaryKey({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'text' })
  role!: GroupRole;

  @Property({ type: 'text' })
  status!: ResponseStatus;

  /** Null for the creator, and after the inviter's account was deleted. */
  @Property({ type: 'uuid', nullable: true })
  invitedById: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  invitedAt!: Date;

  /** Null before the first response. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  respondedAt: Date | null = null;

  /** Increases with every change of this member. */
  @Property({ type: 'integer' })
  revision!: number;
}
