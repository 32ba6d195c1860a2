import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { ResponseStatus } from './response-counts.js';

export const GROUP_ROLES = ['OWNER', 'MEMBER'] as const;
export type GroupRole = (typeof GROUP_ROLES)[number];

/** One user's place in one group, with their answer. */
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

  /** Null for the creator, and once the inviter's account is gone. */
  @Property({ type: 'uuid', nullable: true })
  invitedById: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  invitedAt!: Date;

  /** Null until the first answer. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  respondedAt: Date | null = null;

  /** Grows with every change to this member. */
  @Property({ type: 'integer' })
  revision!: number;
}
