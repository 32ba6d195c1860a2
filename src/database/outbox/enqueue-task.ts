import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { OutboxTask, type TaskPayload } from './outbox-task.entity.js';

export interface NewTask {
  readonly name: string;
  readonly payload: TaskPayload;
  /** The earliest time to run; immediately by default. */
  readonly dueAt?: Date;
}

/** Adds a task to the unit of work, so that it is committed exactly when the change that causes it is. */
export function enqueueTask(em: EntityManager, request: NewTask, now: Date): OutboxTask {
  const task = em.create(OutboxTask, {
    id: uuidv7(),
    name: request.name,
    payload: request.payload,
    createdAt: now,
    dueAt: request.dueAt ?? now,
  });
  em.persist(task);
  return task;
}
