import DataLoader from 'dataloader';
import { LeaseLostError } from '../../database/outbox/complete-tasks.js';
import { isError } from '../../errors/index.js';
import type { Completed, TaskAttempt, TaskHandler } from './task-handler.js';

type BatchHandler = Extract<TaskHandler, { runBatch: unknown }>;

/** Runs one task together with those of the same event-loop iteration. @throws LeaseLostError */
type RunInBatch = (task: TaskAttempt) => Promise<Completed>;

export function createBatchRun(handler: BatchHandler): RunInBatch {
  const loader = new DataLoader<TaskAttempt, Completed>((tasks) => runAll(handler, tasks), {
    cache: false,
    batchScheduleFn: (runBatch) => setImmediate(runBatch),
  });
  return (task) => loader.load(task);
}

/** Runs the tasks one by one when they fail together. */
async function runAll(handler: BatchHandler, tasks: readonly TaskAttempt[]): Promise<(Completed | Error)[]> {
  try {
    const completed = new Set(await handler.runBatch(tasks));
    return tasks.map((task) => (completed.has(task.id) ? 'COMPLETED' : new LeaseLostError(task)));
  } catch (error) {
    if (tasks.length === 1) throw error;
    return (await Promise.all(tasks.map((task) => runAlone(handler, task)))).flat();
  }
}

function runAlone(handler: BatchHandler, task: TaskAttempt): Promise<(Completed | Error)[]> {
  return runAll(handler, [task]).catch((cause: unknown) => [isError(cause) ? cause : new Error(String(cause))]);
}
