import { PrimaryKeyProp } from '@mikro-orm/core';
import { Embedded, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Account } from '../../accounts/index.js';
import type { GroupState } from './group-state.js';
import { Group } from './group.entity.js';
import { CheckCounts, ResponseCounts, type ResponseStatus } from './response-counts.js';

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
@Index({ name: 'group_change_actor', properties: ['actorId'], where: 'actor_id is not null' })
@Index({ name: 'group_change_subject', properties: ['subjectId'], where: 'subject_id is not null' })
@Index({
  name: 'group_change_of_state',
  properties: ['groupId', 'revision'],
  where: 'state_before is distinct from state_after',
})
@CheckCounts('group_change')
export class GroupChange {
  [PrimaryKeyProp]?: ['groupId', 'revision'];

  @ManyToOne({ entity: () => Group, primary: true, mapToPk: true, deleteRule: 'cascade' })
  groupId!: string;

  @PrimaryKey({ type: 'integer' })
  revision!: number;

  @Property({ type: 'text' })
  cause!: ChangeCause;

  /** The user who made the change. Null for an API client, for the system, and after the account was deleted. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  actorId: string | null = null;

  /** The name of the API key that made the change. Null for users and the system. */
  @Property({ type: 'text', nullable: true })
  apiKey: string | null = null;

  /** The user whose membership changed. Null when the change concerns the whole group. */
  @ManyToOne({ entity: () => Account, mapToPk: true, nullable: true, deleteRule: 'set null' })
  subjectId: string | null = null;

  /** The subject's response after the change. Null when there is none. */
  @Property({ type: 'text', nullable: true })
  status: ResponseStatus | null = null;

  /** Null for the first revision. */
  @Property({ type: 'text', nullable: true })
  stateBefore: GroupState | null = null;

  @Property({ type: 'text' })
  stateAfter!: GroupState;

  @Property({ type: 'datetime', length: 3 })
  at!: Date;

  @Embedded(() => ResponseCounts, { prefix: false })
  counts!: ResponseCounts;
}
