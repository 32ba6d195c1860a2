import { describe, expect, it } from '@jest/globals';
import { startTaskRunner, type TaskRunner } from '../../../src/jobs/tasks/task-runner.js';

const AT_ONCE = 16;

/** A runner whose tasks end when they are told to. */
function controlled(): { runner: TaskRunner; begun: string[]; end(taskId: string): void } {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const runner = startTaskRunner((taskId) => {
    begun.push(taskId);
    return new Promise((resolve) => ends.set(taskId, resolve));
  });
  return { runner, begun, end: (taskId) => ends.get(taskId)?.() };
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `task ${index}`);
}

describe('the task runner', () => {
  it('begins a bounded number at once, and the others in order as those end', async () => {
    const { runner, begun, end } = controlled();
    const submitted = names(AT_ONCE + 2).map((name) => runner.submit(name));
    await Promise.all(submitted.slice(0, AT_ONCE));
    expect(begun).toEqual(names(AT_ONCE));

    end('task 3');

    expect(await submitted[AT_ONCE]).toBe(true);
    expect(begun).toEqual(names(AT_ONCE + 1));
  });

  it('turns away a task that is in hand, until that has ended', async () => {
    const { runner, begun, end } = controlled();
    await runner.submit('one');
    expect(await runner.submit('one')).toBe(false);

    end('one');
    await Promise.resolve();

    expect(await runner.submit('one')).toBe(true);
    expect(begun).toEqual(['one', 'one']);
  });

  it('turns away what is too much', async () => {
    const { runner } = controlled();
    const submitted = names(1_001).map((name) => runner.submit(name));

    expect(await submitted.at(-1)).toBe(false);
  });

  it('stops once what runs has ended, and turns away what waits', async () => {
    const { runner, begun, end } = controlled();
    const submitted = names(AT_ONCE + 1).map((name) => runner.submit(name));
    await submitted[0];

    const stopped = runner.stop(10_000);
    names(AT_ONCE).forEach(end);

    expect(await stopped).toBe(true);
    expect(await submitted.at(-1)).toBe(false);
    expect(await runner.submit('late')).toBe(false);
    expect(begun).toHaveLength(AT_ONCE);
  });

  it('does not wait for ever when it stops', async () => {
    const { runner } = controlled();
    await runner.submit('endless');

    expect(await runner.stop(1)).toBe(false);
  });
});
