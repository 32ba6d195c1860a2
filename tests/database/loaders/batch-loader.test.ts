import { describe, expect, it } from '@jest/globals';
import { createBatchLoader } from '../../../src/database/index.js';

interface Row {
  readonly id: number;
}

/** Even ids exist; `asked` keeps the keys of every statement. */
function evenRows() {
  const asked: (readonly number[])[] = [];
  const read = createBatchLoader<number, Row>(
    async (ids) => {
      asked.push(ids);
      return ids
        .filter((id) => id % 2 === 0)
        .map((id) => ({ id }))
        .toReversed();
    },
    String,
    ({ id }) => String(id),
  );
  return { read, asked };
}

describe('a batched read', () => {
  it('gives every caller of a turn their own row from one statement, and null where there is none', async () => {
    const { read, asked } = evenRows();
    expect(await Promise.all([2, 1, 4].map(read))).toEqual([{ id: 2 }, null, { id: 4 }]);
    expect(asked).toEqual([[2, 1, 4]]);
  });

  it('asks once for what several callers want', async () => {
    const { read, asked } = evenRows();
    expect(await Promise.all([2, 4, 2, 2].map(read))).toEqual([{ id: 2 }, { id: 4 }, { id: 2 }, { id: 2 }]);
    expect(asked).toEqual([[2, 4]]);
  });

  it('asks again in the next turn: nothing is kept', async () => {
    const { read, asked } = evenRows();
    await read(2);
    await read(2);
    expect(asked).toEqual([[2], [2]]);
  });

  it('asks once for as much as one operation may ask for, and never for more', async () => {
    const { read, asked } = evenRows();
    await Promise.all(Array.from({ length: 50_201 }, (_, id) => read(id)));
    expect(asked.map(({ length }) => length)).toEqual([25_000, 25_000, 201]);
  });

  it('tells every caller of the turn when the statement fails', async () => {
    const read = createBatchLoader<number, Row>(
      () => Promise.reject(new Error('gone')),
      String,
      ({ id }) => String(id),
    );
    const answers = await Promise.allSettled([1, 2].map(read));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
