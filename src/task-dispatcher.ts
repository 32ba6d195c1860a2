/** Runs committed outbox tasks, best effort: a relay finds the tasks whose dispatch was lost. */
interface TaskQueue {
  dispatch(taskIds: readonly string[]): void;
}

/**
 * Passes committed outbox tasks to the jobs of this process.
 *
 * Reason: use cases dispatch tasks, and jobs run use cases. The dispatcher exists before both.
 * In a process without jobs, as in a command, tasks stay in the outbox, where the relay of the service finds them.
 */
export class TaskDispatcher {
  #jobs: TaskQueue | null = null;

  readonly dispatch = (taskIds: readonly string[]): void => {
    this.#jobs?.dispatch(taskIds);
  };

  connect(jobs: TaskQueue): void {
    this.#jobs = jobs;
  }
}
