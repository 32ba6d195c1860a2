import type { Jobs, JobsOptions } from './jobs.js';

export type { Jobs, JobsLog, JobsOptions } from './jobs.js';
export type { DatabaseHandler, OutsideHandler, TaskHandler, TaskOutcome, TaskRun } from './task-handler.js';

/** Starts dispatching what the outbox owes; resolves without waiting for the backend to be reachable. */
export declare function startJobs(options: JobsOptions): Promise<Jobs>;
