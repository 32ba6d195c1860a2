import { describe, expect, it } from '@jest/globals';
import { createBatcher } from '../../src/async/batcher.js';

const LARGEST = 3;

/** Batches that end when they are told to. */
function controlled() {
  const batches: (readonly number[])[] = [];
  let current = Promise.withResolvers<undefined>();
  const add = createBatcher<number>(LARGEST, (batch) => {
    batches.push(batch);
    current = Promise.withResolvers<undefined>();
    return current.promise;
  });
  return {
    batches,
    add,
    succeed: async () => {
      current.resolve(undefined);
      await settled();
    },
    fail: async () => {
      current.reject(new Error('refused'));
      await settled();
    },
  };
}

/** Everything that follows from a promise has followed by the next turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('coalescing', () => {
  it('hands on at once, then together what has come meanwhile, in batches of bounded size', async () => {
    const { batches, add, succeed } = controlled();
    add([1]);
    expect(batches).toEqual([[1]]);

    add([2, 3]);
    add([4, 5]);
    expect(batches).toEqual([[1]]);

    await succeed();
    await succeed();
    await succeed();
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);

    add([6]);
    expect(batches.at(-1)).toEqual([6]);
  });

  it('drops what waits behind a failure, and goes on with what comes later', async () => {
    const { batches, add, fail } = controlled();
    add([1]);
    add([2]);

    await fail();
    add([3]);

    expect(batches).toEqual([[1], [3]]);
  });

  it('hands on nothing when nothing is added', () => {
    const { batches, add } = controlled();
    add([]);
    expect(batches).toEqual([]);
  });
});
