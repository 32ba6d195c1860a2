import type { Clock } from '../accounts/ports/clock.js';
import type { Database } from '../database/database.js';
import type { TaskHandler } from './task-handler.js';

/** What the jobs write to the service's log; a pino logger is one. Never given a payload. */
export interface JobsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

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
