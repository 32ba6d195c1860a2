import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { forEachInSlices, mapInSlices, MAX_SLICE_MS } from '../../src/pacing/index.js';

const ITEMS = Array.from({ length: 1_000 }, (_, index) => index);
const ITEM_MS = 0.05;

let now = 5_000;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('work in slices', () => {
  it('does no more in one slice than its length and the items between two looks at the clock', async () => {
    const slices: number[] = [];
    let inSlice = 0;
    await forEachInSlices(
      ITEMS,
      () => {
        now += ITEM_MS;
        inSlice += 1;
      },
      {
        rest: (sliceMs) => {
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

  it('lets others have their turn between slices, and keeps the order', async () => {
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

  it('does short work without a rest', async () => {
    let rests = 0;
    await forEachInSlices(ITEMS, () => undefined, { rest: () => Promise.resolve(void (rests += 1)) });
    expect(rests).toBe(0);
  });
});
