import { letOthersGoFirst } from './foreground.js';
import { nextTurn } from './next-turn.js';
import { OperationPace } from './operation-pace.js';
import { MAX_SLICE_MS } from './slice-length.js';

/** How many items are done before the clock is looked at. */
const ITEMS_PER_LOOK = 16;

/** What happens between two slices, after one that took `sliceMs`. */
type Rest = (sliceMs: number) => Promise<void>;

/**
 * Does work on each item in slices. Between them all others have their turn; paced work also stands back for small
 * operations, while a small operation does not wait for itself.
 */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  each: (item: T) => void,
  { rest = restOfCurrent(), itemsPerLook = ITEMS_PER_LOOK }: { rest?: Rest; itemsPerLook?: number } = {},
): Promise<void> {
  let start = performance.now();
  let done = 0;
  for (const item of items) {
    each(item);
    done += 1;
    if (done % itemsPerLook !== 0) continue;
    const sliceMs = performance.now() - start;
    if (sliceMs < MAX_SLICE_MS) continue;
    await rest(sliceMs);
    start = performance.now();
  }
}

/** `items.map` in slices. */
export async function mapInSlices<T, Result>(items: Iterable<T>, map: (item: T) => Result): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => results.push(map(item)));
  return results;
}

function restOfCurrent(): Rest {
  return OperationPace.current === undefined ? nextTurn : letOthersGoFirst;
}
