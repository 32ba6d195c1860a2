import { describe, expect, it } from '@jest/globals';
import { KeyedSemaphore, overloaded, type KeyedSemaphoreOptions } from '../../src/async/keyed-semaphore.js';
import { errorWithReason } from '../support/error-matchers.js';

/** Work that ends when it is told to. */
function work(): { run: () => Promise<string>; finish: (how?: Error) => void; begun: () => boolean } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    run: () => {
      begun = true;
      return promise;
    },
    finish: (how) => {
      if (how === undefined) resolve('done');
      else reject(how);
    },
    begun: () => begun,
  };
}

async function settled(): Promise<void> {
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
  it('runs as many calls per key concurrently as it may, and starts the next when one ends', async () => {
    const calls = semaphore();
    const all = Array.from({ length: 6 }, work);
    const results = all.map(({ run }) => calls.run('ada', run));
    await settled();
    expect(all.map(({ begun }) => begun())).toEqual([true, true, true, true, false, false]);
    all[2]?.finish();
    await settled();
    expect(all.map(({ begun }) => begun())).toEqual([true, true, true, true, true, false]);
    for (const { finish } of all) finish();
    expect(await Promise.all(results)).toEqual(Array(6).fill('done'));
  });

  it('does not delay calls with one key because of another key', async () => {
    const calls = semaphore();
    const flood = Array.from({ length: 50 }, work);
    const results = flood.map(({ run }) => calls.run('flood', run));
    expect(await calls.run('other', () => Promise.resolve('immediately'))).toBe('immediately');
    for (const { finish } of flood) finish();
    await Promise.all(results);
  });

  it('refuses a call immediately when as many wait as may, and accepts calls again once they have ended', async () => {
    const calls = semaphore();
    const all = Array.from({ length: 104 }, work);
    const results = all.map(({ run }) => calls.run('ada', run));
    await expect(calls.run('ada', () => Promise.resolve('late'))).rejects.toMatchObject({
      reason: 'OVERLOADED',
      retryAfterSeconds: 2,
    });
    for (const { finish } of all) finish();
    await Promise.all(results);
    expect(await calls.run('ada', () => Promise.resolve('next'))).toBe('next');
  });

  it('passes on the error of a call, and starts the next', async () => {
    const calls = semaphore();
    const failing = work();
    const result = calls.run('ada', failing.run);
    failing.finish(new Error('boom'));
    await expect(result).rejects.toThrow('boom');
    expect(await calls.run('ada', () => Promise.resolve('next'))).toBe('next');
  });

  it('refuses a call that has waited too long, never begins it, and gives its place to another', async () => {
    const calls = semaphore({ concurrency: 1, maxQueueLength: 1, longestWaitMs: 20 });
    const [running, late, next] = [work(), work(), work()];
    const first = calls.run('ada', running.run);
    await expect(calls.run('ada', late.run)).rejects.toEqual(errorWithReason('OVERLOADED'));
    const last = calls.run('ada', next.run);
    running.finish();
    next.finish();
    expect(await Promise.all([first, last])).toEqual(['done', 'done']);
    expect(late.begun()).toBe(false);
  });

  it('does not refuse a call that has begun, however long it runs', async () => {
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

  it('never refuses an unbounded call, and runs it in its turn', async () => {
    const calls = semaphore({ concurrency: 1, maxQueueLength: 0, longestWaitMs: 5 });
    const [running, task] = [work(), work()];
    const first = calls.run('ada', running.run);
    const result = calls.runUnbounded('ada', task.run);
    await expect(calls.run('ada', () => Promise.resolve('refused'))).rejects.toEqual(errorWithReason('OVERLOADED'));
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(task.begun()).toBe(false);
    running.finish();
    task.finish();
    expect(await Promise.all([first, result])).toEqual(['done', 'done']);
  });
});
