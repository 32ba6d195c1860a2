import type { Clock } from '../accounts/index.js';
import type { Database } from '../database/connection/database.js';
import type { JobsLogger } from './tasks/jobs-logger.js';
import type { TaskHandler } from './tasks/task-handler.js';

export interface JobsOptions {
  /** Where Agenda keeps its jobs; the tasks themselves are in PostgreSQL either way. */
  readonly backend: 'postgres' | 'mongo';
  readonly databaseUrl: string;
  /** Needed with the `mongo` backend only. */
  readonly mongodbUri: string | null;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobsLogger;
  readonly handlers: readonly TaskHandler[];
  /** Distinct for every process; Agenda writes it beside the jobs that the process has locked. */
  readonly workerName: string;
}

export interface Jobs {
  /**
   * Dispatches committed tasks that are due. Best effort: returns immediately and never throws. The relay finds lost
   * dispatches within seconds.
   */
  dispatch(taskIds: readonly string[]): void;
  /** @throws Error with the reason when the outbox or Agenda cannot be reached */
  checkHealth(): Promise<void>;
  /** Begins no further task, waits for running handlers for at most 8 s, and closes every connection of the jobs. */
  stop(): Promise<void>;
}
