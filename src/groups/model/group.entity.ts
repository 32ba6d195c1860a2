import { OptionalProps } from '@mikro-orm/core';
import { Check, Embedded, Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GROUP_STATES, type GroupState } from './group-state.js';
import { CheckCounts, ResponseCounts } from './response-counts.js';

/** People invited to something, the rule for what their answers add up to, and the state that follows from both. */
@Entity({ tableName: 'groups' })
@Check({ name: 'groups_quorum_check', expression: 'quorum >= 1 and quorum <= 1000000' })
@CheckCounts('groups')
export class Group {
  [OptionalProps]?: 'counts';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'text', nullable: true })
  description: string | null = null;

  /** How many must accept; null for everyone. */
  @Property({ type: 'integer', nullable: true })
  quorum: number | null = null;

  /** Null for a group without a deadline. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  respondBy: Date | null = null;

  /** What was required when the deadline passed; null until that is recorded. */
  @Property({ type: 'integer', nullable: true })
  requiredAtDeadline: number | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  cancelledAt: Date | null = null;

  /** As of the last change; a deadline may have passed since (see `readsAs`). */
  @Enum({ type: 'text', items: GROUP_STATES })
  state!: GroupState;

  @Property({ type: 'datetime', length: 3 })
  stateChangedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** Grows by one with every change to the group, its members or their answers. */
  @Property({ type: 'integer' })
  revision!: number;

  /** The revision at which members or their answers last changed. */
  @Property({ type: 'integer' })
  answersRevision!: number;

  @Embedded(() => ResponseCounts, { prefix: false })
  counts: ResponseCounts = new ResponseCounts();
}
