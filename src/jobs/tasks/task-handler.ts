import type { EntityManager } from '@mikro-orm/postgresql';
import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';

/** One attempt at a task, as passed to its handler. */
interface TaskAttempt {
  /** Also the idempotency key of the effect, where the effect has one. */
  readonly id: string;
  readonly payload: TaskPayload;
  /** 1 at the first attempt. */
  readonly attempts: number;
}

/** `SKIPPED`: there was nothing to do. */
export type TaskOutcome = 'DONE' | 'SKIPPED';

/**
 * An effect outside the database, such as a mail. It happens at least once: when the process dies between the effect
 * and its record, the task runs again with the same id.
 */
interface ExternalEffectHandler {
  readonly name: string;
  run(task: TaskAttempt): Promise<TaskOutcome>;
}

/** A change of the database, committed in one transaction with the task's completion: it happens exactly once. */
interface TransactionalHandler {
  readonly name: string;
  /** May be called again with a fresh unit of work, like any work of `inTransaction`. */
  runInTransaction(em: EntityManager, task: TaskAttempt): Promise<TaskOutcome>;
}

/**
 * Runs `work` in one transaction together with the task's completion. `work` may be called again, as by
 * `inTransaction`.
 */
export type CompleteInTransaction = (work: (em: EntityManager) => Promise<TaskOutcome>) => Promise<void>;

/** A change of the database that waits in a queue before its transaction, and holds no connection while it waits. */
interface QueuedHandler {
  readonly name: string;
  /** @param complete must be called once; resolves when the change is committed */
  runQueued(task: TaskAttempt, complete: CompleteInTransaction): Promise<void>;
}

export type TaskHandler = ExternalEffectHandler | TransactionalHandler | QueuedHandler;
