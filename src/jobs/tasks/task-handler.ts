import type { EntityManager } from '@mikro-orm/postgresql';
import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';

/** One attempt at a task, as passed to its handler. */
interface TaskAttempt {
  /** Also the idempotency key of an effect that supports one. */
  readonly id: string;
  readonly payload: TaskPayload;
  /** 1 at the first attempt. */
  readonly attempts: number;
}

/** `SKIPPED`: the task had no effect to produce. */
export type TaskOutcome = 'DONE' | 'SKIPPED';

/**
 * Handler of an effect outside the database, such as a mail. The effect happens at least once: after a crash between
 * the effect and its record, the task runs again with the same id.
 */
interface ExternalEffectHandler {
  readonly name: string;
  run(task: TaskAttempt): Promise<TaskOutcome>;
}

/** Handler of a database change, which is committed together with the task's completion: it happens exactly once. */
interface TransactionalHandler {
  readonly name: string;
  /** May be called again with a new unit of work, as by `inTransaction`. */
  runInTransaction(em: EntityManager, task: TaskAttempt): Promise<TaskOutcome>;
}

/** Runs `work` and the task's completion in one transaction. `work` may be called again, as by `inTransaction`. */
export type CompleteInTransaction = (work: (em: EntityManager) => Promise<TaskOutcome>) => Promise<void>;

/** Handler of a database change that waits in a queue before its transaction. It holds no connection while it waits. */
interface QueuedHandler {
  readonly name: string;
  /** @param complete must be called once; resolves after the commit */
  runQueued(task: TaskAttempt, complete: CompleteInTransaction): Promise<void>;
}

export type TaskHandler = ExternalEffectHandler | TransactionalHandler | QueuedHandler;
