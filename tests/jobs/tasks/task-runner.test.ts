import { describe, expect, it } from '@jest/globals';
import { startTaskRunner, type TaskRunner } from '../../../src/jobs/tasks/task-runner.js';

const MAX_CONCURRENCY = 32;

/** Creates a runner whose tasks end when a test ends them. */
function createControlledRunner(): { runner: TaskRunner; started: string[]; end(taskId: string): void } {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const runner = startTaskRunner((taskId) => {
    started.push(taskId);
    return new Promise((resolve) => ends.set(taskId, resolve));
  });
  return { runner, started, end: (taskId) => ends.get(taskId)?.() };
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `task ${index}`);
}

describe('startTaskRunner', () => {
  it('runs 32 tasks concurrently, and starts the others in order as tasks end', async () => {
    const { runner, started, end } = createControlledRunner();
    const submitted = names(MAX_CONCURRENCY + 2).map((name) => runner.submit(name));
    await Promise.all(submitted.slice(0, MAX_CONCURRENCY));
    expect(started).toEqual(names(MAX_CONCURRENCY));

    end('task 3');

    expect(await submitted[MAX_CONCURRENCY]).toBe(true);
    expect(started).toEqual(names(MAX_CONCURRENCY + 1));
  });

  it('rejects a pending task until it has ended', async () => {
    const { runner, started, end } = createControlledRunner();
    await runner.submit('one');
    expect(await runner.submit('one')).toBe(false);

    end('one');
    await Promise.resolve();

    expect(await runner.submit('one')).toBe(true);
    expect(started).toEqual(['one', 'one']);
  });

  it('rejects a task when 10,000 tasks are pending', async () => {
    const { runner } = createControlledRunner();
    const submitted = names(10_001).map((name) => runner.submit(name));

    expect(await submitted.at(-1)).toBe(false);
  });

  it('waits for running tasks when it stops, and rejects queued and later ones', async () => {
    const { runner, started, end } = createControlledRunner();
    const submitted = names(MAX_CONCURRENCY + 1).map((name) => runner.submit(name));
    await submitted[0];

    const stopped = runner.stop(10_000);
    names(MAX_CONCURRENCY).forEach(end);

    expect(await stopped).toBe(true);
    expect(await submitted.at(-1)).toBe(false);
    expect(await runner.submit('late')).toBe(false);
    expect(started).toHaveLength(MAX_CONCURRENCY);
  });

  it('stops after the time limit when a task hangs', async () => {
    const { runner } = createControlledRunner();
    await runner.submit('endless');

    expect(await runner.stop(1)).toBe(false);
  });
});
