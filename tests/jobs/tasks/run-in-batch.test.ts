import { describe, expect, it } from '@jest/globals';
import { LeaseLostError } from '../../../src/database/outbox/complete-tasks.js';
import { createBatchRun } from '../../../src/jobs/tasks/run-in-batch.js';
import type { TaskAttempt } from '../../../src/jobs/tasks/task-handler.js';

const task = (id: string): TaskAttempt => ({ id, payload: {}, attempts: 1 });

describe('createBatchRun', () => {
  it('runs the tasks of one event-loop iteration together', async () => {
    const batches: string[][] = [];
    const run = createBatchRun({
      name: 'sample',
      runBatch: (tasks) => {
        const ids = tasks.map(({ id }) => id);
        batches.push(ids);
        return Promise.resolve(ids);
      },
    });
    expect(await Promise.all(['a', 'b'].map((id) => run(task(id))))).toEqual(['COMPLETED', 'COMPLETED']);
    await run(task('c'));
    expect(batches).toEqual([['a', 'b'], ['c']]);
  });

  it('throws LeaseLostError for a task that was not completed', async () => {
    const run = createBatchRun({ name: 'sample', runBatch: () => Promise.resolve(['a']) });
    const [completed, lost] = await Promise.allSettled([run(task('a')), run(task('b'))]);
    expect(completed).toMatchObject({ value: 'COMPLETED' });
    expect(lost).toMatchObject({ reason: expect.any(LeaseLostError) });
  });

  it('runs each task alone when one fails the others', async () => {
    const run = createBatchRun({
      name: 'sample',
      runBatch: async (tasks) => {
        if (tasks.some(({ id }) => id === 'bad')) throw new Error('boom');
        return tasks.map(({ id }) => id);
      },
    });
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((id) => run(task(id))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
