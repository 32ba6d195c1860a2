import { PrimaryKeyProp } from '@mikro-orm/core';
import { Embedded, Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { GroupState } from './group-state.js';
import { ResponseCounts, type ResponseStatus } from './response-counts.js';

export type ChangeCause =
  | 'CREATED'
  | 'RESPONSE'
  | 'INVITED'
  | 'JOINED'
  | 'INVITATION_DECLINED'
  | 'INVITATION_REVOKED'
  | 'INVITATION_EXPIRED'
  | 'REMOVED'
  | 'LEFT'
  | 'ROLE_CHANGED'
  | 'RENAMED'
  | 'RULE_CHANGED'
  | 'DEADLINE'
  | 'CANCELLED'
  | 'ACCOUNT_DELETED';

/** One revision of a group: cause, author, and resulting state and counts. Rows are never updated. */
@Entity({ tableName: 'group_change' })
export class GroupChange {
  [PrimaryKeyProp]?: ['groupId', 'revision'];

  @PrimaryKey({ type: 'uuid' })
  groupId!: string;

  @PrimaryKey({ type: 'integer' })
  revision!: number;

  @Property({ type: 'text' })
  cause!: ChangeCause;

  /** The user who made the change. Null for an API client, for the system, and after the account was deleted. */
  @Property({ type: 'uuid', nullable: true })
  actorId: string | null = null;

  /** The name of the API key that made the change. Null for users and the system. */
  @Property({ type: 'text', nullable: true })
  apiKey: string | null = null;

  /** The user whose membership changed. Null when the change concerns the whole group. */
  @Property({ type: 'uuid', nullable: true })
  subjectId: string | null = null;

  /** The subject's response after the change. Null when there is none. */
  @Property({ type: 'text', nullable: true })
  status: ResponseStatus | null = null;

  /** Null for the first revision. */
  @Property({ type: 'text', nullable: true })
  stateBefore: GroupState | null = null;

  @Property({ type: 'text' })
  stateAfter!: GroupState;

  @Property({ type: 'timestamptz(3)' })
  at!: Date;

  @Embedded(() => ResponseCounts, { prefix: false })
  counts!: ResponseCounts;
}
