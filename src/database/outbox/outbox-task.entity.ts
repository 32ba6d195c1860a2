import { OptionalProps } from '@mikro-orm/core';
import { Check, Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const TASK_STATUSES = ['QUEUED', 'RUNNING', 'DONE', 'SKIPPED', 'FAILED'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Ids and numbers that identify the subject of a task; never secrets, addresses or names. */
export type TaskPayload = Readonly<Record<string, string | number>>;

/**
 * A task of the transactional outbox, inserted in the transaction that causes it.
 *
 * The row is the only record of the task: a dispatch of it can be lost or duplicated without harm.
 */
@Entity({ tableName: 'outbox_task' })
@Index({ name: 'outbox_task_due', properties: ['dueAt'], where: 'due_at is not null' })
@Check({ name: 'outbox_task_check', expression: `(due_at is null) = (status in ('DONE', 'SKIPPED', 'FAILED'))` })
export class OutboxTask {
  [OptionalProps]?: 'status' | 'attempts';

  /** Also the key of the task's effect, so that the effect happens once. */
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'json', columnType: 'jsonb' })
  payload!: TaskPayload;

  @Enum({ type: 'text', items: TASK_STATUSES })
  status: TaskStatus = 'QUEUED';

  /** Number of attempts that have begun. */
  @Property({ type: 'integer', default: 0 })
  attempts: number = 0;

  @Property({ type: 'text', nullable: true })
  lastError: string | null = null;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** The time of the next attempt; the end of the lease while RUNNING; null when finished. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  dueAt!: Date | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  finishedAt: Date | null = null;
}
