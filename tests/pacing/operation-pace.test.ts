import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createBatchLoader } from '../../src/database/index.js';
import { OperationPace, Slices } from '../../src/pacing/index.js';

const ENTRIES = 40;

/** Blocks the thread for `ms` milliseconds. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** A batch loader that records its batches. */
function recordedRead() {
  const batches: (readonly number[])[] = [];
  const read = createBatchLoader<number, { readonly id: number }>(
    (ids) => {
      batches.push(ids);
      return Promise.resolve(ids.map((id) => ({ id })));
    },
    String,
    ({ id }) => String(id),
  );
  return { read, batches };
}

function entries(): readonly number[] {
  return Array.from({ length: ENTRIES }, (_, index) => index);
}

async function pacedList(each: (entry: number) => Promise<unknown>, slices = new Slices()): Promise<unknown[]> {
  return slices.run(() => {
    const pace = OperationPace.current;
    return Promise.all(entries().map(async (entry) => each((await pace?.turn(entry)) ?? entry)));
  });
}

describe('OperationPace', () => {
  it('lets other work run between the slices of a list', async () => {
    let turns = 0;
    const state = { isOver: false };
    const others = (async () => {
      for (; !state.isOver; turns += 1) await turn();
    })();
    await pacedList((entry) => {
      work(0.5);
      return Promise.resolve(entry);
    });
    state.isOver = true;
    await others;
    expect(turns).toBeGreaterThan(ENTRIES / 4);
  });

  it('sends the reads of all entries as one batch, for any number of slices', async () => {
    const { read, batches } = recordedRead();
    const rows = await pacedList((entry) => {
      work(0.3);
      return read(entry);
    });
    expect(batches).toEqual([entries()]);
    expect(rows).toEqual(entries().map((id) => ({ id })));
  });

  it('sends dependent reads as one batch for each level', async () => {
    const { read, batches } = recordedRead();
    await pacedList(async (entry) => {
      const row = await read(entry);
      work(0.2);
      return read((row?.id ?? 0) + 100);
    });
    expect(batches).toEqual([entries(), entries().map((id) => id + 100)]);
  });

  it('runs one read at a time, and starts the following reads when all are done', async () => {
    let underWay = 0;
    const most: number[] = [];
    const sizes: number[] = [];
    const slowRead = () =>
      createBatchLoader<number, { readonly id: number }>(
        async (ids) => {
          underWay += 1;
          most.push(underWay);
          sizes.push(ids.length);
          for (let turns = 0; turns < 5; turns += 1) await turn();
          underWay -= 1;
          return ids.map((id) => ({ id }));
        },
        String,
        ({ id }) => String(id),
      );
    const [first, second, following] = [slowRead(), slowRead(), slowRead()];
    await pacedList((entry) =>
      Promise.all([first, second].map(async (read) => following(((await read(entry))?.id ?? 0) * 2))),
    );
    expect(most).toEqual([1, 1, 1]);
    expect(sizes).toEqual([ENTRIES, ENTRIES, ENTRIES]);
  });

  it('does not delay reads of other operations', async () => {
    const { read, batches } = recordedRead();
    const paced = pacedList((entry) => {
      work(0.5);
      return read(entry);
    });
    await turn();
    expect(await read(1_000)).toEqual({ id: 1_000 });
    expect(batches).toEqual([[1_000]]);
    await paced;
  });

  it('alternates the slices of concurrent operations', async () => {
    const done: string[] = [];
    const slices = new Slices();
    await Promise.all(
      ['a', 'b'].map((name) =>
        pacedList((entry) => {
          work(0.3);
          done.push(name);
          return Promise.resolve(entry);
        }, slices),
      ),
    );
    expect(done.indexOf('b')).toBeLessThan(ENTRIES);
    expect(done).toHaveLength(2 * ENTRIES);
  });

  it('rejects with the error of a failed read', async () => {
    const read = createBatchLoader<number, object>(
      () => Promise.reject(new Error('gone')),
      String,
      () => '',
    );
    await expect(pacedList((entry) => read(entry))).rejects.toThrow('gone');
  });
});
