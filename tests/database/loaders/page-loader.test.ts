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
  let [inFlight, most] = [0, 0];
  const query = async (_: unknown, [lists]: readonly (readonly number[])[]): Promise<BatchedRow[]> => {
    statements.push([...(lists ?? [])]);
    inFlight += 1;
    most = Math.max(most, inFlight);
    await nextIteration();
    inFlight -= 1;
    return (lists ?? []).map((_list, index) => ({ page: index + 1 }));
  };
  const load = createPageLoader<ListQuery, BatchedRow, number>({ query } as unknown as Database, {
    statements: pagedStatement<BatchedRow>('numbers', 'asc', () => ''),
    columns: (queries) => [queries.map(({ list }) => list)],
    cacheKey: ({ list }) => String(list),
    collect: (lists, _, { list }) => lists.push(list),
  });
  return { load, statements, mostConcurrent: () => most };
}

const listsTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('createPageLoader', () => {
  it('reads the pages of one event-loop iteration with one statement, and gives each row to its query', async () => {
    const { load, statements } = createNumberLoader();
    const pages = await Promise.all(listsTo(3).map((list) => load({ list, size: 20, backward: false })));
    expect(pages).toEqual([[0], [1], [2]]);
    expect(statements).toEqual([[0, 1, 2]]);
  });

  it('reads at most 160 entries of small operations per statement, with three statements concurrently', async () => {
    const { load, statements, mostConcurrent } = createNumberLoader();
    const pages = await Promise.all(listsTo(35).map((list) => load({ list, size: 20, backward: false })));
    expect(pages).toEqual(listsTo(35).map((list) => [list]));
    expect(statements.map(({ length }) => length)).toEqual([8, 8, 8, 8, 3]);
    expect(mostConcurrent()).toBe(3);
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
