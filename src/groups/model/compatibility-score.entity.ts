import { PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Group } from './group.entity.js';

/** One stored score of a group. The score with the highest sequence is the current one. */
@Entity({ tableName: 'compatibility_score' })
@Check({ name: 'compatibility_score_value_check', expression: 'value >= 0 and value <= 100' })
export class CompatibilityScore {
  [PrimaryKeyProp]?: ['groupId', 'sequence'];

  @ManyToOne({ entity: () => Group, primary: true, mapToPk: true, deleteRule: 'cascade' })
  groupId!: string;

  /** 1 for the first score of the group; increases by 1 without gaps. */
  @PrimaryKey({ type: 'integer' })
  sequence!: number;

  /** 0 to 100 inclusive. */
  @Property({ type: 'double' })
  value!: number;

  /** Free text that names what computed the score. */
  @Property({ type: 'text' })
  source!: string;

  @Property({ type: 'datetime', length: 3 })
  scoredAt!: Date;

  /** The group's `answersRevision` when the score was written. The score is stale when the group's is higher. */
  @Property({ type: 'integer' })
  answersRevision!: number;
}
