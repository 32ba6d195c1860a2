import type { Clock } from '../accounts/index.js';
import type { DatabaseAddress, Pooler } from '../database/client/client-options.js';
import type { Database } from '../database/connection/database.js';
import type { JobStorageOptions } from './agenda/job-storage.js';
import type { JobsLogger } from './tasks/jobs-logger.js';
import type { TaskHandler } from './tasks/task-handler.js';

export interface JobsOptions extends JobStorageOptions {
  readonly databaseUrl: string;
  readonly pooler?: Pooler;
  /** Address for listening; that of `databaseUrl` by default. */
  readonly listenAddress?: DatabaseAddress;
  /** Connections of Agenda; 3 by default. */
  readonly maxConnections?: number;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: JobsLogger;
  readonly handlers: readonly TaskHandler[];
  /** Unique per process. Agenda stores it with the jobs that the process has locked. */
  readonly workerName: string;
}

export interface Jobs {
  /**
   * Dispatches committed tasks that are due. Best effort: returns immediately and never throws. The relay finds the
   * tasks of a lost dispatch within 5 s.
   */
  dispatch(taskIds: readonly string[]): void;
  /** @throws Error with the reason when the outbox or Agenda cannot be reached */
  checkHealth(): Promise<void>;
  /** Starts no further task, waits up to 4 s for running handlers, and closes every connection of the jobs. */
  stop(): Promise<void>;
}
