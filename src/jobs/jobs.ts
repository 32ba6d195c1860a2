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
   * Says that tasks were committed and may run now. Best effort: it returns at once and never throws, and what
   * it loses is found by the relay within seconds.
   */
  dispatch(taskIds: readonly string[]): void;
  /** Rejects with the reason when tasks are not being dispatched at present. */
  checkHealth(): Promise<void>;
  /** Takes no new work, waits for running handlers (at most 8 s), and closes every connection of the jobs. */
  stop(): Promise<void>;
}
