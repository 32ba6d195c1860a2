import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const FOLLOW_UP_STATUSES = ['QUEUED', 'RUNNING', 'DONE', 'SKIPPED', 'FAILED'] as const;
export type FollowUpStatus = (typeof FOLLOW_UP_STATUSES)[number];

/** One post-registration task owed to one account (specification, section 6). */
@Entity({ tableName: 'follow_up' })
export class FollowUp {
  [OptionalProps]?: 'status' | 'attempts';

  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'uuid' })
  userId!: string;

  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'text' })
  status: FollowUpStatus = 'QUEUED';

  /** How often it was begun. */
  @Property({ type: 'integer' })
  attempts: number = 0;

  @Property({ type: 'text', nullable: true })
  lastError: string | null = null;

  @Property({ type: 'timestamptz(3)' })
  createdAt!: Date;

  /** When it may run next; while RUNNING, when it counts as abandoned; null once it is over. */
  @Property({ type: 'timestamptz(3)', nullable: true })
  dueAt!: Date | null;

  @Property({ type: 'timestamptz(3)', nullable: true })
  finishedAt: Date | null = null;
}
