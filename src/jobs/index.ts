export { checkJobStorage } from './check-job-storage.js';
export { followUps, type FollowUp, type FollowUpDeps, registrationFollowUps } from './follow-ups/index.js';
export type { Jobs, JobsLog, JobsOptions } from './jobs.js';
export { startJobs } from './start-jobs.js';
export type { DatabaseHandler, OutsideHandler, TaskHandler, TaskOutcome, TaskRun } from './task-handler.js';
