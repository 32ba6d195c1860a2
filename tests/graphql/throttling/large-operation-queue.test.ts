import { describe, expect, it } from '@jest/globals';
import { LargeOperationQueue } from '../../../src/graphql/throttling/large-operation-queue.js';
import { errorWithReason } from '../../support/error-matchers.js';

/** Work that runs until `endAll`; `running` has the names of the running work, `most` the highest concurrency. */
function works() {
  const running: string[] = [];
  let most = 0;
  const ends: (() => void)[] = [];
  const work = (name: string) => async (): Promise<string> => {
    running.push(name);
    most = Math.max(most, running.length);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    running.splice(running.indexOf(name), 1);
    return name;
  };
  const endAll = async (results: Promise<unknown>): Promise<void> => {
    const state = { isOver: false };
    void results.finally(() => {
      state.isOver = true;
    });
    while (!state.isOver) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  };
  return { work, running, endAll, most: () => most };
}

async function begun(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('LargeOperationQueue', () => {
  it('runs one operation of each caller and three in total concurrently', async () => {
    const operations = new LargeOperationQueue();
    const { work, running, endAll, most } = works();
    const all = Promise.all(['a', 'a', 'b', 'c', 'd'].map((caller) => operations.run(caller, work(caller))));
    await begun();
    expect(running.toSorted()).toEqual(['a', 'b', 'c']);
    await endAll(all);
    expect(await all).toEqual(['a', 'a', 'b', 'c', 'd']);
    expect(most()).toBe(3);
  });

  it('rejects the operations of a caller with twenty, and accepts those of others', async () => {
    const operations = new LargeOperationQueue();
    const { work, endAll } = works();
    const all = Promise.all(Array.from({ length: 20 }, () => operations.run('a', work('a'))));
    await expect(operations.run('a', work('a'))).rejects.toEqual(errorWithReason('RATE_LIMITED'));
    const other = operations.run('b', work('b'));
    await endAll(Promise.all([all, other]));
    const again = operations.run('a', work('a'));
    await endAll(again);
    expect(await again).toBe('a');
  });

  it('rejects all operations while two hundred are queued', async () => {
    const operations = new LargeOperationQueue();
    const { work, endAll } = works();
    const all = Promise.all(Array.from({ length: 200 }, (_, index) => operations.run(String(index), work('x'))));
    await begun();
    await expect(operations.run('late', work('x'))).rejects.toEqual(errorWithReason('OVERLOADED'));
    await endAll(all);
  });

  it('runs the next operation after one that fails', async () => {
    const operations = new LargeOperationQueue();
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(operations.run('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    }
  });
});
