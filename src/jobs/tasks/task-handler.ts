import type { EntityManager } from '@mikro-orm/postgresql';
import type { TaskPayload } from '../../database/outbox/outbox-task.entity.js';

/** One attempt at a task, as passed to its handler. */
export interface TaskAttempt {
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

/**
 * Handler of a database change that one statement makes for several tasks, together with their completion: it happens
 * exactly once.
 */
interface BatchHandler {
  readonly name: string;
  /**
   * Called again with each task alone when it rejects, so that one task does not fail others.
   *
   * @returns the ids of the completed tasks, without those that another worker has claimed
   */
  runBatch(tasks: readonly TaskAttempt[]): Promise<readonly string[]>;
}

/** The completion was committed together with the effect. */
export type Completed = 'COMPLETED';

/** Runs `work` and the task's completion in one transaction. `work` may be called again, as by `inTransaction`. */
type CompleteInTransaction = (work: (em: EntityManager) => Promise<TaskOutcome>) => Promise<Completed>;

/** Handler of a database change that waits in a queue before its transaction. It holds no connection while it waits. */
interface QueuedHandler {
  readonly name: string;
  /**
   * @param complete called at most once; resolves after the commit
   * @returns the outcome of a task that changes nothing, or that of `complete`
   */
  runQueued(task: TaskAttempt, complete: CompleteInTransaction): Promise<TaskOutcome | Completed>;
}

export type TaskHandler = ExternalEffectHandler | TransactionalHandler | BatchHandler | QueuedHandler;
