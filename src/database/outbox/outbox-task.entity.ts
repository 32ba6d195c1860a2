import { OptionalProps } from '@mikro-orm/core';
import { Check, Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';

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
@Unique({ name: 'outbox_task_once_per_registration', properties: ['registeredUserId', 'name'] })
@Index({ name: 'outbox_task_due', properties: ['dueAt'], where: 'due_at is not null' })
@Index({
  name: 'outbox_task_listed',
  columns: [{ name: 'status' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
  where: 'registered_user_id is not null',
})
@Index({
  name: 'outbox_task_follow_ups',
  columns: [
    { name: 'created_at', sort: 'desc' },
    { name: 'id', sort: 'desc' },
  ],
  where: 'registered_user_id is not null',
})
@Index({
  name: 'outbox_task_about_user',
  expression: `create index outbox_task_about_user on outbox_task ((payload ->> 'userId'))
    where registered_user_id is null and payload ->> 'userId' is not null`,
})
@Index({
  name: 'outbox_task_done',
  properties: ['finishedAt'],
  where: `registered_user_id is null and status in ('DONE', 'SKIPPED')`,
})
@Index({
  name: 'outbox_task_failed',
  properties: ['finishedAt'],
  where: `registered_user_id is null and status = 'FAILED'`,
})
@Check({ name: 'outbox_task_check', expression: `(due_at is null) = (status in ('DONE', 'SKIPPED', 'FAILED'))` })
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
  registeredUserId: string | null = null;

  @Enum({ type: 'text', items: TASK_STATUSES })
  status: TaskStatus = 'QUEUED';

  /** How often it was begun. */
  @Property({ type: 'integer', default: 0 })
  attempts: number = 0;

  @Property({ type: 'text', nullable: true })
  lastError: string | null = null;

  @Property({ type: 'datetime', length: 3 })
  createdAt!: Date;

  /** When it may run next; while RUNNING, when it counts as abandoned; null once it is over. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  dueAt!: Date | null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  finishedAt: Date | null = null;
}
