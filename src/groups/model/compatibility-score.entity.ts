import { PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Group } from './group.entity.js';

/** One stored score of a group; the one with the highest sequence is in force. */
@Entity({ tableName: 'compatibility_score' })
@Check({ name: 'compatibility_score_value_check', expression: 'value >= 0 and value <= 100' })
export class CompatibilityScore {
  [PrimaryKeyProp]?: ['groupId', 'sequence'];

  @ManyToOne({ entity: () => Group, primary: true, mapToPk: true, deleteRule: 'cascade' })
  groupId!: string;

  /** 1 for the first score of the group, then one more each time. */
  @PrimaryKey({ type: 'integer' })
  sequence!: number;

  /** 0 to 100 inclusive. */
  @Property({ type: 'double' })
  value!: number;

  /** Who or what computed it, in the writer's own words. */
  @Property({ type: 'text' })
  source!: string;

  @Property({ type: 'datetime', length: 3 })
  scoredAt!: Date;

  /** The group's `answersRevision` when it was written; it is stale once the group's is higher. */
  @Property({ type: 'integer' })
  answersRevision!: number;
}
