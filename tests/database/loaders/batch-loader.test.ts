import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { createBatchLoader } from '../../../src/database/index.js';

interface Row {
  readonly id: number;
}

/** Loader of rows with even ids. `statements` contains the keys of each statement. */
function createEvenRowLoader() {
  const statements: (readonly number[])[] = [];
  const load = createBatchLoader<number, Row>(
    async (ids) => {
      statements.push(ids);
      return ids
        .filter((id) => id % 2 === 0)
        .map((id) => ({ id }))
        .toReversed();
    },
    String,
    ({ id }) => String(id),
  );
  return { load, statements };
}

describe('createBatchLoader', () => {
  it('reads the keys of one event-loop iteration with one statement, and returns null for a missing row', async () => {
    const { load, statements } = createEvenRowLoader();
    expect(await Promise.all([2, 1, 4].map(load))).toEqual([{ id: 2 }, null, { id: 4 }]);
    expect(statements).toEqual([[2, 1, 4]]);
  });

  it('reads a repeated key once', async () => {
    const { load, statements } = createEvenRowLoader();
    expect(await Promise.all([2, 4, 2, 2].map(load))).toEqual([{ id: 2 }, { id: 4 }, { id: 2 }, { id: 2 }]);
    expect(statements).toEqual([[2, 4]]);
  });

  it('reads a key again in a later iteration', async () => {
    const { load, statements } = createEvenRowLoader();
    await load(2);
    await load(2);
    expect(statements).toEqual([[2], [2]]);
  });

  it('reads at most 25,000 keys per statement', async () => {
    const { load, statements } = createEvenRowLoader();
    await Promise.all(Array.from({ length: 50_201 }, (_, id) => load(id)));
    expect(statements.map(({ length }) => length)).toEqual([25_000, 25_000, 201]);
  });

  it('rejects each call of the batch when the statement fails', async () => {
    const load = createBatchLoader<number, Row>(
      () => Promise.reject(new Error('gone')),
      String,
      ({ id }) => String(id),
    );
    const results = await Promise.allSettled([1, 2].map(load));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

/** Loader whose statements end when they are told to. `running` contains the keys and the end of each. */
function createControlledLoader(options?: Parameters<typeof createBatchLoader<number, Row>>[3]) {
  const running: { readonly ids: readonly number[]; readonly end: () => void }[] = [];
  const load = createBatchLoader<number, Row>(
    (ids) =>
      new Promise((resolve) => {
        const end = (): void => {
          resolve(ids.map((id) => ({ id })));
        };
        running.push({ ids, end });
      }),
    String,
    ({ id }) => String(id),
    options,
  );
  return { load, running };
}

describe('createBatchLoader: with a statement in flight', () => {
  it('gathers keys until it ends', async () => {
    const { load, running } = createControlledLoader();
    const reads: Promise<Row | null>[] = [];
    for (const id of [1, 2, 3]) {
      reads.push(load(id));
      await nextIteration();
    }
    running[0]?.end();
    await expect(reads[0]).resolves.toEqual({ id: 1 });
    await nextIteration();
    expect(running.map(({ ids }) => ids)).toEqual([[1], [2, 3]]);
    for (const { end } of running) end();
    await expect(Promise.all(reads)).resolves.toEqual([1, 2, 3].map((id) => ({ id })));
  });

  it('sends as many as may run concurrently', async () => {
    const { load, running } = createControlledLoader({ maxStatements: 2 });
    const reads: Promise<Row | null>[] = [];
    for (const id of [1, 2, 3]) {
      reads.push(load(id));
      await nextIteration();
    }
    expect(running.map(({ ids }) => ids)).toEqual([[1], [2]]);
    running[1]?.end();
    await expect(reads[1]).resolves.toEqual({ id: 2 });
    await nextIteration();
    expect(running.map(({ ids }) => ids)).toEqual([[1], [2], [3]]);
    for (const { end } of running) end();
    await Promise.all(reads);
  });

  it('sends no other batch between two statements of one', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const { load, running } = createControlledLoader({ maxStatements: 1, split: (ids) => ids.map((id) => [id]) });
      const reads = [load(1), load(2)];
      await nextIteration();
      reads.push(load(3));
      await nextIteration();
      for (const idsSent of [
        [[1], [2]],
        [[1], [2], [3]],
      ]) {
        running.at(-1)?.end();
        await nextIteration();
        await nextIteration();
        expect(running.map(({ ids }) => ids)).toEqual(idsSent);
      }
      running.at(-1)?.end();
      await Promise.all(reads);
    } finally {
      jest.useRealTimers();
    }
  });

  it('sends the next statement after a wait when it does not end', async () => {
    const { load, running } = createControlledLoader();
    for (const id of [1, 2]) {
      void load(id);
      await nextIteration();
    }
    expect(running).toHaveLength(1);
    await sleep(50);
    expect(running.map(({ ids }) => ids)).toEqual([[1], [2]]);
  });

  it('sends the next statement in its iteration after one that failed', async () => {
    const sent: (readonly number[])[] = [];
    const load = createBatchLoader<number, Row>(
      (ids) => {
        sent.push(ids);
        return sent.length === 1 ? Promise.reject(new Error('lost')) : Promise.resolve(ids.map((id) => ({ id })));
      },
      String,
      ({ id }) => String(id),
    );
    await expect(load(1)).rejects.toThrow('lost');
    const read = load(2);
    await nextIteration();
    expect(sent).toEqual([[1], [2]]);
    await expect(read).resolves.toEqual({ id: 2 });
  });
});
