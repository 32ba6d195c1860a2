import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createBatchLoader } from '../../src/database/index.js';
import { OperationPace, Slices } from '../../src/pacing/index.js';

const ENTRIES = 40;

/** Keeps the thread at work for a while. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Of each list: its entries, each of which is work and reads something. */
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

describe('the pace of a large operation', () => {
  it('lets everybody else have their turn between its slices', async () => {
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

  it('sends the reads of all entries off together, however many slices the list takes', async () => {
    const { read, batches } = recordedRead();
    const rows = await pacedList((entry) => {
      work(0.3);
      return read(entry);
    });
    expect(batches).toEqual([entries()]);
    expect(rows).toEqual(entries().map((id) => ({ id })));
  });

  it('does the same for what follows from what was read, one batch for each level', async () => {
    const { read, batches } = recordedRead();
    await pacedList(async (entry) => {
      const row = await read(entry);
      work(0.2);
      return read((row?.id ?? 0) + 100);
    });
    expect(batches).toEqual([entries(), entries().map((id) => id + 100)]);
  });

  it('has one read under way at a time, and sends what follows off when all are done', async () => {
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

  it("keeps nobody else's reads waiting", async () => {
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

  it('gives operations that are under way at the same time their slices in turn', async () => {
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

  it('tells of a failed read', async () => {
    const read = createBatchLoader<number, object>(
      () => Promise.reject(new Error('gone')),
      String,
      () => '',
    );
    await expect(pacedList((entry) => read(entry))).rejects.toThrow('gone');
  });
});
