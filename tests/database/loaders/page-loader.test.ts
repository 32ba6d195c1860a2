import { describe, expect, it } from '@jest/globals';
import { nextIteration, SliceScheduler } from '../../../src/async/pacing.js';
import { pagedStatement, type Database } from '../../../src/database/index.js';
import { createPageLoader, type BatchedRow } from '../../../src/database/loaders/page-loader.js';

interface ListQuery {
  readonly list: number;
  readonly size: number;
  readonly backward: boolean;
}

/** Loads pages whose only row is the number of the list. `statements` contains the lists of each statement. */
function createNumberLoader() {
  const statements: number[][] = [];
  let [inFlight, most, toFail] = [0, 0, 0];
  let held: Promise<unknown> = Promise.resolve();
  const query = async (_: unknown, [lists]: readonly (readonly number[])[]): Promise<BatchedRow[]> => {
    statements.push([...(lists ?? [])]);
    inFlight += 1;
    most = Math.max(most, inFlight);
    await nextIteration();
    if (lists?.[0] !== 0) await held;
    inFlight -= 1;
    toFail -= 1;
    if (toFail === 0) throw new Error('lost');
    return (lists ?? []).map((_list, index) => ({ page: index + 1 }));
  };
  const load = createPageLoader<ListQuery, BatchedRow, number>({ query } as unknown as Database, {
    statements: pagedStatement<BatchedRow>('numbers', 'asc', () => ''),
    columns: (queries) => [queries.map(({ list }) => list)],
    cacheKey: ({ list }) => String(list),
    collect: (lists, _, { list }) => lists.push(list),
  });
  const failNext = (): void => {
    toFail = 1;
  };
  /** Holds all statements but the first until the returned function is called. */
  const holdOthers = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers();
    held = promise;
    return () => {
      resolve(null);
    };
  };
  return { load, statements, mostConcurrent: () => most, failNext, holdOthers };
}

const listsTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('createPageLoader', () => {
  it('reads the pages of one event-loop iteration with one statement, and gives each row to its query', async () => {
    const { load, statements } = createNumberLoader();
    const pages = await Promise.all(listsTo(3).map((list) => load({ list, size: 20, backward: false })));
    expect(pages).toEqual([[0], [1], [2]]);
    expect(statements).toEqual([[0, 1, 2]]);
  });

  it('reads at most 320 entries of small operations per statement, with two statements concurrently', async () => {
    const { load, statements, mostConcurrent } = createNumberLoader();
    const pages = await Promise.all(listsTo(35).map((list) => load({ list, size: 20, backward: false })));
    expect(pages).toEqual(listsTo(35).map((list) => [list]));
    expect(statements.map(({ length }) => length)).toEqual([16, 16, 3]);
    expect(mostConcurrent()).toBe(2);
  });

  it('gives the rows of a statement to their queries without waiting for the other statements', async () => {
    const { load, holdOthers } = createNumberLoader();
    const release = holdOthers();
    const [first, ...others] = listsTo(35).map((list) => load({ list, size: 20, backward: false }));
    expect(await first).toEqual([0]);
    release();
    expect(await Promise.all(others)).toHaveLength(34);
  });

  it('reads the pages after a statement that failed', async () => {
    const { load, failNext } = createNumberLoader();
    failNext();
    const pages = await Promise.allSettled(listsTo(35).map((list) => load({ list, size: 20, backward: false })));
    expect(pages.map(({ status }) => status)).toEqual([
      ...Array<string>(16).fill('rejected'),
      ...Array<string>(19).fill('fulfilled'),
    ]);
  });

  it('reads at most 25,000 entries of a large operation per statement', async () => {
    const { load, statements, mostConcurrent } = createNumberLoader();
    const work = new SliceScheduler().run(() =>
      Promise.all(listsTo(60).map((list) => load({ list, size: 1_000, backward: false }))),
    );
    await work;
    expect(statements.map(({ length }) => length)).toEqual([25, 25, 10]);
    expect(mostConcurrent()).toBe(1);
  });
});
