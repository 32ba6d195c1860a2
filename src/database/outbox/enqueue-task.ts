import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { OutboxTask, type TaskPayload } from './outbox-task.entity.js';

export interface NewTask {
  readonly name: string;
  readonly payload: TaskPayload;
  /** The account whose registration owes it, for follow-ups of registration. */
  readonly registeredUserId?: string;
  /** Not to be run before; at once otherwise. */
  readonly dueAt?: Date;
}

/** Adds a task to the caller's transaction: it exists exactly if the change that owes it does. */
export function enqueueTask(em: EntityManager, request: NewTask, now: Date): OutboxTask {
  const task = em.create(OutboxTask, {
    id: uuidv7(),
    name: request.name,
    payload: request.payload,
    registeredUserId: request.registeredUserId ?? null,
    createdAt: now,
    dueAt: request.dueAt ?? now,
  });
  em.persist(task);
  return task;
}
