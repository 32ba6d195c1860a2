import { OptionalProps } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const TASK_STATUSES = ['QUEUED', 'RUNNING', 'DONE', 'SKIPPED', 'FAILED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Ids and numbers that name what a task is about; never secrets, addresses or names. */
export type TaskPayload = Readonly<Record<string, string | number>>;

/**
 * Something owed, written in the same transaction as what owes it.
 *
 * The row is the truth; whatever dispatches it may lose, repeat or strand a run without harm.
 */
@Entity({ tableName: 'outbox_task' })
export class OutboxTask {
  [OptionalProps]?: 'status' | 'attempts';

  /** Also what the task's effect is keyed by, so that it happens once. */
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'json', columnType: 'jsonb' })
  payload!: TaskPayload;

  /** The account whose registration owes it (specification, section 6); null for any other task. */
  @Property({ type: 'uuid', nullable: true })
  registeredUserId: string | null = null;

  @Property({ type: 'text' })
  status: TaskStatus = 'QUEUED';

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
