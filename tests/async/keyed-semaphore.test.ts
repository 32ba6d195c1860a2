import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { KeyedSemaphore, overloaded, type KeyedSemaphoreOptions } from '../../src/async/keyed-semaphore.js';
import { errorWithReason } from '../support/error-matchers.js';

/** Work that ends when `finish` is called. */
function createWork(): { run: () => Promise<string>; finish: (how?: Error) => void; hasStarted: () => boolean } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let hasStarted = false;
  return {
    run: () => {
      hasStarted = true;
      return promise;
    },
    finish: (how) => {
      if (how === undefined) resolve('done');
      else reject(how);
    },
    hasStarted: () => hasStarted,
  };
}

async function runPromiseCallbacks(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function semaphore(options: Partial<KeyedSemaphoreOptions> = {}): KeyedSemaphore {
  return new KeyedSemaphore({
    concurrency: 4,
    maxQueueLength: 100,
    longestWaitMs: null,
    overloadError: overloaded(2),
    ...options,
  });
}

describe('KeyedSemaphore', () => {
  it('runs up to `concurrency` calls per key concurrently, and starts the next when one ends', async () => {
    const calls = semaphore();
    const all = Array.from({ length: 6 }, createWork);
    const results = all.map(({ run }) => calls.run('ada', run));
    await runPromiseCallbacks();
    expect(all.map(({ hasStarted }) => hasStarted())).toEqual([true, true, true, true, false, false]);
    all[2]?.finish();
    await runPromiseCallbacks();
    expect(all.map(({ hasStarted }) => hasStarted())).toEqual([true, true, true, true, true, false]);
    for (const { finish } of all) finish();
    expect(await Promise.all(results)).toEqual(Array(6).fill('done'));
  });

  it('does not delay calls with one key because of another key', async () => {
    const calls = semaphore();
    const flood = Array.from({ length: 50 }, createWork);
    const results = flood.map(({ run }) => calls.run('flood', run));
    expect(await calls.run('other', () => Promise.resolve('immediately'))).toBe('immediately');
    for (const { finish } of flood) finish();
    await Promise.all(results);
  });

  it('rejects a call immediately when the queue is full, and accepts calls when it has room', async () => {
    const calls = semaphore();
    const all = Array.from({ length: 104 }, createWork);
    const results = all.map(({ run }) => calls.run('ada', run));
    await expect(calls.run('ada', () => Promise.resolve('late'))).rejects.toMatchObject({
      reason: 'OVERLOADED',
      retryAfterSeconds: 2,
    });
    for (const { finish } of all) finish();
    await Promise.all(results);
    expect(await calls.run('ada', () => Promise.resolve('next'))).toBe('next');
  });

  it('rejects with the error of a call, and starts the next', async () => {
    const calls = semaphore();
    const failing = createWork();
    const result = calls.run('ada', failing.run);
    failing.finish(new Error('boom'));
    await expect(result).rejects.toThrow('boom');
    expect(await calls.run('ada', () => Promise.resolve('next'))).toBe('next');
  });

  it('rejects a call after its longest wait, never starts it, and gives its place to another', async () => {
    const calls = semaphore({ concurrency: 1, maxQueueLength: 1, longestWaitMs: 20 });
    const [running, late, next] = [createWork(), createWork(), createWork()];
    const first = calls.run('ada', running.run);
    await expect(calls.run('ada', late.run)).rejects.toEqual(errorWithReason('OVERLOADED'));
    const last = calls.run('ada', next.run);
    running.finish();
    next.finish();
    expect(await Promise.all([first, last])).toEqual(['done', 'done']);
    expect(late.hasStarted()).toBe(false);
  });

  it('does not reject a call that has started, however long it runs', async () => {
    const calls = semaphore({ longestWaitMs: 5 });
    expect(
      await calls.run(
        'ada',
        () =>
          new Promise((resolve) => {
            setTimeout(() => {
              resolve('slow');
            }, 50);
          }),
      ),
    ).toBe('slow');
  });

  it('never rejects an unbounded call, and runs it in the order of the queue', async () => {
    const calls = semaphore({ concurrency: 1, maxQueueLength: 0, longestWaitMs: 5 });
    const [running, task] = [createWork(), createWork()];
    const first = calls.run('ada', running.run);
    const result = calls.runUnbounded('ada', task.run);
    await expect(calls.run('ada', () => Promise.resolve('rejected'))).rejects.toEqual(errorWithReason('OVERLOADED'));
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(task.hasStarted()).toBe(false);
    running.finish();
    task.finish();
    expect(await Promise.all([first, result])).toEqual(['done', 'done']);
  });

  it('runs a call that has waited in the asynchronous context of its caller', async () => {
    const caller = new AsyncLocalStorage<string>();
    const calls = semaphore({ concurrency: 1 });
    const results = ['ada', 'bob'].map((name) =>
      caller.run(name, () => calls.run('key', () => Promise.resolve(caller.getStore()))),
    );
    expect(await Promise.all(results)).toEqual(['ada', 'bob']);
  });
});
