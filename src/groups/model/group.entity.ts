import { OptionalProps } from '@mikro-orm/core';
import { Check, Embedded, Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GROUP_STATES, type GroupState } from './group-state.js';
import { CheckCounts, ResponseCounts } from './response-counts.js';

/** A group: its declared rule, the counts of its members' responses, and the state that follows from both. */
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

  /** Acceptances required to confirm the group. Null requires all invited people. */
  @Property({ type: 'integer', nullable: true })
  quorum: number | null = null;

  /** Null without a deadline. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  respondBy: Date | null = null;

  /** Acceptances required when the deadline passed. Null until the deadline is recorded. */
  @Property({ type: 'integer', nullable: true })
  requiredAtDeadline: number | null = null;

  /** Null while the group is not cancelled. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  cancelledAt: Date | null = null;

  /** State at the last revision. A deadline may have passed since; `currentState` takes it into account. */
  @Enum({ type: 'text', items: GROUP_STATES })
  state!: GroupState;

  @Property({ type: 'datetime', length: 3 })
  stateChangedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** Increases by 1 with every change of the group, its members or their responses. */
  @Property({ type: 'integer' })
  revision!: number;

  /** The revision at which members or their responses last changed. */
  @Property({ type: 'integer' })
  answersRevision!: number;

  @Embedded(() => ResponseCounts, { prefix: false })
  counts: ResponseCounts = new ResponseCounts();
}
