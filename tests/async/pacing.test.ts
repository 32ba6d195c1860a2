import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  forEachInSlices,
  Foreground,
  foreground,
  mapInSlices,
  MAX_SLICE_MS,
  PacedOperation,
  SliceScheduler,
} from '../../src/async/pacing.js';
import { createBatchLoader } from '../../src/database/index.js';

const LONG_MS = 60_000;

function pending() {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, end: () => end() };
}

describe('Foreground', () => {
  it('is idle when the last operation has ended', async () => {
    const small = new Foreground();
    const [first, second] = [pending(), pending()];
    void small.run(() => first.work);
    void small.run(() => second.work);
    const state = { isIdle: false };
    const idle = small.idle(LONG_MS).then(() => {
      state.isIdle = true;
    });
    first.end();
    await turn();
    expect(state.isIdle).toBe(false);
    second.end();
    await idle;
    expect(state.isIdle).toBe(true);
  });

  it('resolves idle() immediately without operations, or after the maximum wait', async () => {
    const small = new Foreground();
    await small.idle(LONG_MS);
    const endless = pending();
    void small.run(() => endless.work);
    await small.idle(1);
  });

  it('counts a failed operation as ended', async () => {
    const small = new Foreground();
    await expect(small.run(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await small.idle(LONG_MS);
  });

  it('delays the next slice of a large operation until small operations have ended', async () => {
    const small = pending();
    const done: string[] = [];
    const entries = Array.from({ length: 20 }, (_, index) => index);
    const large = new SliceScheduler().run(() => {
      const operation = PacedOperation.current;
      return Promise.all(
        entries.map(async (entry) => {
          await operation?.resolveInSlice(entry);
          const until = performance.now() + 2;
          while (performance.now() < until);
          done.push('slice');
        }),
      );
    });
    await turn();
    const answered = foreground.run(() => small.work).then(() => done.push('small'));
    for (let turns = 0; turns < 15; turns += 1) await turn();
    small.end();
    await Promise.all([large, answered]);
    expect(done.indexOf('small')).toBeLessThanOrEqual(3);
    expect(done).toHaveLength(entries.length + 1);
  });
});

describe('forEachInSlices', () => {
  const ITEMS = Array.from({ length: 1_000 }, (_, index) => index);
  const ITEM_MS = 0.05;

  let now = 5_000;
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('ends a slice at the first reading of the clock after its length', async () => {
    const slices: number[] = [];
    let inSlice = 0;
    await forEachInSlices(
      ITEMS,
      () => {
        now += ITEM_MS;
        inSlice += 1;
      },
      {
        pause: (sliceMs) => {
          expect(sliceMs).toBeLessThan(MAX_SLICE_MS + 16 * ITEM_MS);
          slices.push(inSlice);
          inSlice = 0;
          return Promise.resolve();
        },
      },
    );
    expect(Math.max(...slices)).toBe(32);
    expect(slices).toHaveLength(31);
  });

  it('yields to the event loop between slices and keeps the order', async () => {
    let turns = 0;
    const state = { isOver: false };
    const count = (): void => {
      turns += 1;
      if (!state.isOver) setImmediate(count);
    };
    setImmediate(count);
    const doubled = await mapInSlices(ITEMS, (item) => {
      now += ITEM_MS;
      return item * 2;
    });
    state.isOver = true;
    expect(doubled).toEqual(ITEMS.map((item) => item * 2));
    expect(turns).toBeGreaterThanOrEqual(31);
  });

  it('processes short work without a pause', async () => {
    let pauses = 0;
    await forEachInSlices(ITEMS, () => undefined, { pause: () => Promise.resolve(void (pauses += 1)) });
    expect(pauses).toBe(0);
  });
});

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

async function pacedList(each: (entry: number) => Promise<unknown>, slices = new SliceScheduler()): Promise<unknown[]> {
  return slices.run(() => {
    const operation = PacedOperation.current;
    return Promise.all(entries().map(async (entry) => each((await operation?.resolveInSlice(entry)) ?? entry)));
  });
}

describe('PacedOperation', () => {
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
    let inFlight = 0;
    const most: number[] = [];
    const sizes: number[] = [];
    const slowRead = () =>
      createBatchLoader<number, { readonly id: number }>(
        async (ids) => {
          inFlight += 1;
          most.push(inFlight);
          sizes.push(ids.length);
          for (let turns = 0; turns < 5; turns += 1) await turn();
          inFlight -= 1;
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
    const slices = new SliceScheduler();
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
