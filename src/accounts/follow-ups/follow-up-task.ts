import { Index, ManyToOne, Unique } from '@mikro-orm/decorators/legacy';
import { OutboxTask } from '../../database/index.js';
import { Account } from '../identity/account.entity.js';

/** The outbox knows no accounts, so what its tasks have as follow-ups of a registration is declared here. */
declare module '../../database/outbox/outbox-task.entity.js' {
  interface OutboxTask {
    /** The account whose registration enqueued it; null for any other task. */
    registeredUserId: string | null;
  }
}

ManyToOne({
  entity: () => Account,
  fieldName: 'registered_user_id',
  mapToPk: true,
  nullable: true,
  deleteRule: 'cascade',
})(OutboxTask.prototype, 'registeredUserId');

Unique({
  name: 'outbox_task_once_per_registration',
  properties: ['registeredUserId', 'name'],
})(OutboxTask.prototype, 'registeredUserId');

Index({
  name: 'outbox_task_listed',
  columns: [{ name: 'status' }, { name: 'created_at', sort: 'desc' }, { name: 'id', sort: 'desc' }],
  where: 'registered_user_id is not null',
})(OutboxTask);

Index({
  name: 'outbox_task_follow_ups',
  columns: [
    { name: 'created_at', sort: 'desc' },
    { name: 'id', sort: 'desc' },
  ],
  where: 'registered_user_id is not null',
})(OutboxTask);

Index({
  name: 'outbox_task_about_user',
  expression: `create index outbox_task_about_user on outbox_task ((payload ->> 'userId'))
    where registered_user_id is null and payload ->> 'userId' is not null`,
})(OutboxTask);

Index({
  name: 'outbox_task_done',
  properties: ['finishedAt'],
  where: `registered_user_id is null and status in ('DONE', 'SKIPPED')`,
})(OutboxTask.prototype, 'finishedAt');

Index({
  name: 'outbox_task_failed',
  properties: ['finishedAt'],
  where: `registered_user_id is null and status = 'FAILED'`,
})(OutboxTask.prototype, 'finishedAt');
