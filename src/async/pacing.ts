/**
 * Pacing: a large operation runs in slices of 1 ms, and waits between them for the small operations in flight. So it
 * delays neither them nor the event loop.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Length of a slice in milliseconds. */
export const MAX_SLICE_MS = 1;

/** Longest wait between two slices, in times of the slice before it, so that paced work advances under any load. */
const MAX_WAIT_PER_SLICE = 8;

/** Items that are processed between two readings of the clock. */
const ITEMS_PER_CLOCK_READING = 16;

/** Resolves in the next event-loop iteration, after all work that is pending now. */
export function nextIteration(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The small operations in flight, for which paced work waits. */
export class Foreground {
  #inFlight = 0;
  readonly #waiting = new Set<() => void>();

  /** Runs a small operation. Paced work waits until it has ended. */
  async run<T>(operation: () => Promise<T> | T): Promise<T> {
    this.#inFlight += 1;
    try {
      return await operation();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const wake of this.#waiting) wake();
    }
  }

  /** Resolves when no small operation is in flight, at the latest after `maxMs`. */
  async idle(maxMs: number): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      this.#waiting.add(wake);
    });
    // The response of the last operation is written first.
    await nextIteration();
  }
}

/** The small operations of this process. */
export const foreground = new Foreground();

/**
 * Waits between two slices: until pending work has run and no small operation is in flight, at most 8 times as long as
 * the slice took.
 */
export async function yieldToForeground(sliceMs: number): Promise<void> {
  await nextIteration();
  await foreground.idle(Math.ceil(MAX_WAIT_PER_SLICE * sliceMs));
}

/** Called between two slices, with the duration of the slice before. The next begins when it resolves. */
type Pause = (sliceMs: number) => Promise<void>;

/**
 * Calls `each` for every item, in slices. By default, paced work waits for small operations between two slices, and
 * other work for the next event-loop iteration only, because a small operation must not wait for itself.
 */
export async function forEachInSlices<T>(
  items: Iterable<T>,
  each: (item: T) => void,
  {
    pause = defaultPause(),
    itemsPerClockReading = ITEMS_PER_CLOCK_READING,
  }: { readonly pause?: Pause; readonly itemsPerClockReading?: number } = {},
): Promise<void> {
  let start = performance.now();
  let processed = 0;
  for (const item of items) {
    each(item);
    processed += 1;
    if (processed % itemsPerClockReading !== 0) continue;
    const sliceMs = performance.now() - start;
    if (sliceMs < MAX_SLICE_MS) continue;
    await pause(sliceMs);
    start = performance.now();
  }
}

/** `items.map` in slices. */
export async function mapInSlices<T, Result>(items: Iterable<T>, map: (item: T) => Result): Promise<Result[]> {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => results.push(map(item)));
  return results;
}

function defaultPause(): Pause {
  return PacedOperation.current === undefined ? nextIteration : yieldToForeground;
}

const currentOperation = new AsyncLocalStorage<PacedOperation>();

/**
 * A large operation: steps that run in slices, and reads that wait for them.
 *
 * A read starts when no step is left and no earlier read is in flight. So the reads of all entries of a list become one
 * statement, for any number of slices, and one operation uses one database connection.
 */
export class PacedOperation {
  readonly #scheduler: SliceScheduler;
  #steps: (() => void)[] = [];
  #stepsRun = 0;
  #waitingReads: (() => Promise<void>)[] = [];
  #isReading = false;

  constructor(scheduler: SliceScheduler) {
    this.#scheduler = scheduler;
  }

  /** The operation of the calling code; undefined for code that is not paced. */
  static get current(): PacedOperation | undefined {
    return currentOperation.getStore();
  }

  /** Resolves to the value in a slice. */
  resolveInSlice<T>(value: T): Promise<T> {
    return new Promise((resolve) => {
      this.runInSlice(() => {
        resolve(value);
      });
    });
  }

  /** Runs a step in a slice, in the order of the calls. */
  runInSlice(step: () => void): void {
    this.#steps.push(step);
    this.#scheduler.add(this);
  }

  /**
   * Runs a read when no step is left and the reads before it have ended.
   *
   * @param read never rejects, and does not wait for another read of the operation
   */
  runAfterSlices(read: () => Promise<void>): void {
    this.#waitingReads.push(read);
    this.#scheduler.add(this);
  }

  /** Runs steps until none is left, or until this time of `performance.now()`. */
  async runSlice(untilMs: number): Promise<void> {
    while (this.hasSteps && performance.now() < untilMs) {
      this.#steps[this.#stepsRun]?.();
      this.#stepsRun += 1;
      // The continuations of the step run before the next step.
      await Promise.resolve();
    }
  }

  get hasSteps(): boolean {
    return this.#stepsRun < this.#steps.length;
  }

  /** Starts the waiting reads. To be called when no step is left. */
  startReads(): void {
    [this.#steps, this.#stepsRun] = [[], 0];
    if (this.#waitingReads.length > 0 && !this.#isReading) void this.#read(this.#waitingReads.splice(0));
  }

  async #read(reads: readonly (() => Promise<void>)[]): Promise<void> {
    this.#isReading = true;
    for (const read of reads) await read();
    this.#isReading = false;
    if (this.#waitingReads.length > 0) this.#scheduler.add(this);
  }
}

/** Runs one slice per event-loop iteration, in turn of the paced operations of a process. */
export class SliceScheduler {
  readonly #ready = new Set<PacedOperation>();
  #isRunning = false;

  /** Runs an operation whose lists and reads are paced. */
  run<T>(operation: () => T): T {
    return currentOperation.run(new PacedOperation(this), operation);
  }

  /** Adds an operation that has a step or a read to run. */
  add(operation: PacedOperation): void {
    this.#ready.add(operation);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await nextIteration();
    // A set is iterated in insertion order, including what is added during the iteration.
    for (const operation of this.#ready) {
      this.#ready.delete(operation);
      const start = performance.now();
      await operation.runSlice(start + MAX_SLICE_MS);
      await yieldToForeground(performance.now() - start);
      if (operation.hasSteps) this.#ready.add(operation);
      else operation.startReads();
    }
    this.#isRunning = false;
  }
}
