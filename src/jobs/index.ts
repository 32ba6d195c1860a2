export { checkJobStorage } from './check-job-storage.js';
export { createTaskHandlers, registrationTaskNames } from './handlers/create-task-handlers.js';
export type { TaskHandlerDefinition } from './handlers/task-handler-definition.js';
export type { Jobs, JobsOptions } from './jobs.js';
export type { JobsLogger } from './tasks/jobs-logger.js';
export { startJobs } from './start-jobs.js';
export type { TaskHandler, TaskOutcome } from './tasks/task-handler.js';
