/** Hints to the jobs, after the commit, that tasks are due. A lost hint only delays them: the outbox relay polls. */
export type DispatchTasks = (taskIds: readonly string[]) => void;
