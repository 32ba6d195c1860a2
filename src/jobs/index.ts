export { checkJobStorage } from './check-job-storage.js';
export {
  createTaskHandlers,
  type TaskHandlerDefinition,
  type TaskHandlerDeps,
  registrationTaskNames,
} from './handlers/index.js';
export type { Jobs, JobsLogger, JobsOptions } from './jobs.js';
export { startJobs } from './start-jobs.js';
export type {
  TransactionalHandler,
  ExternalEffectHandler,
  TaskHandler,
  TaskOutcome,
  TaskAttempt,
} from './task-handler.js';
