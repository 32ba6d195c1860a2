import { describe, expect, it } from '@jest/globals';
import { createBatcher } from '../../src/async/batcher.js';

const MAX_BATCH_SIZE = 3;

/** Batcher whose batches end when `succeed` or `fail` is called. */
function createControlledBatcher() {
  const batches: (readonly number[])[] = [];
  let current = Promise.withResolvers<undefined>();
  const add = createBatcher<number>(MAX_BATCH_SIZE, (batch) => {
    batches.push(batch);
    current = Promise.withResolvers<undefined>();
    return current.promise;
  });
  return {
    batches,
    add,
    succeed: async () => {
      current.resolve(undefined);
      await runPromiseCallbacks();
    },
    fail: async () => {
      current.reject(new Error('failed'));
      await runPromiseCallbacks();
    },
  };
}

/** Waits until all callbacks of settled promises have run. */
function runPromiseCallbacks(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('createBatcher', () => {
  it('flushes the first item immediately, and items added meanwhile in batches of bounded size', async () => {
    const { batches, add, succeed } = createControlledBatcher();
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

  it('drops waiting items when a flush fails, and flushes later items', async () => {
    const { batches, add, fail } = createControlledBatcher();
    add([1]);
    add([2]);

    await fail();
    add([3]);

    expect(batches).toEqual([[1], [3]]);
  });

  it('flushes nothing when no items are added', () => {
    const { batches, add } = createControlledBatcher();
    add([]);
    expect(batches).toEqual([]);
  });
});
