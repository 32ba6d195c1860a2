import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { sizeThreadPool, threadPoolSize } from '../../src/config/thread-pool.js';
import { runScript } from '../support/processes/run-script.js';

const SCRIPT = new URL('../support/processes/thread-pool.ts', import.meta.url);

describe('sizeThreadPool', () => {
  it('chooses one thread per processor core, and at least two', () => {
    const environment = {};
    sizeThreadPool(environment);
    expect(threadPoolSize(environment)).toBe(Math.max(2, availableParallelism()));
  });

  it('keeps the size that the operator chose', () => {
    const environment = { UV_THREADPOOL_SIZE: '7' };
    sizeThreadPool(environment);
    expect(threadPoolSize(environment)).toBe(7);
  });

  it('determines how many threads are started', async () => {
    const { output } = await runScript(SCRIPT, []);
    expect(Number(output)).toBe(Math.max(2, availableParallelism()));
  });
});

describe('threadPoolSize', () => {
  it.each([undefined, '', '0', 'many'])('is the size of libuv for UV_THREADPOOL_SIZE %p', (size) => {
    expect(threadPoolSize({ UV_THREADPOOL_SIZE: size })).toBe(4);
  });
});
