import type { EntityManager } from '@mikro-orm/postgresql';
import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';

/** One attempt at a task, as its handler sees it. */
export interface TaskAttempt {
  /** Also what the effect is keyed by, wherever the effect can be keyed. */
  readonly id: string;
  readonly payload: TaskPayload;
  /** 1 at the first attempt. */
  readonly attempts: number;
}

/** `SKIPPED`: there was nothing to do. */
export type TaskOutcome = 'DONE' | 'SKIPPED';

/**
 * An effect outside the database, such as a mail. It happens at least once: a process that dies between the effect
 * and its record leaves the task to be run again, with the same id.
 */
export interface ExternalEffectHandler {
  readonly name: string;
  run(task: TaskAttempt): Promise<TaskOutcome>;
}

/** A change of the database. It is committed together with the task's completion, so it happens exactly once. */
export interface TransactionalHandler {
  readonly name: string;
  /** May be called again with a fresh unit of work, like any work of `inTransaction`. */
  runInTransaction(em: EntityManager, task: TaskAttempt): Promise<TaskOutcome>;
}

/** Runs `work` in one transaction together with the task's completion. `work` may be called again, as by `inTransaction`. */
export type CompleteInTransaction = (work: (em: EntityManager) => Promise<TaskOutcome>) => Promise<void>;

/** A change of the database that waits before its transaction, for a turn in a queue: it holds no connection meanwhile. */
export interface QueuedHandler {
  readonly name: string;
  /** @param complete to be called once; resolves when the change is committed */
  runQueued(task: TaskAttempt, complete: CompleteInTransaction): Promise<void>;
}

export type TaskHandler = ExternalEffectHandler | TransactionalHandler | QueuedHandler;
