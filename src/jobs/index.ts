export { checkJobStorage } from './check-job-storage.js';
export {
  createTaskHandlers,
  type TaskHandlerDefinition,
  type TaskHandlerDeps,
  registrationTaskNames,
} from './handlers/index.js';
export type { Jobs, JobsOptions } from './jobs.js';
export type { JobsLogger } from './tasks/jobs-logger.js';
export { startJobs } from './start-jobs.js';
export type {
  TransactionalHandler,
  ExternalEffectHandler,
  TaskHandler,
  TaskOutcome,
  TaskAttempt,
} from './tasks/task-handler.js';
