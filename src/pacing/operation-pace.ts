import { AsyncLocalStorage } from 'node:async_hooks';
import { letOthersGoFirst } from './foreground.js';
import { nextTurn } from './next-turn.js';
import { MAX_SLICE_MS } from './slice-length.js';

type Step = () => void;

/** Reads for many asks with one statement. Never rejects. */
export type HeldRead = () => Promise<void>;

const current = new AsyncLocalStorage<OperationPace>();

/**
 * The work of one large operation, in slices: between them the event loop serves everybody else.
 *
 * Batches of reads are held back until no slice is left to do and no read is under way. So the reads of all entries of
 * a list go out together, as one statement, however many slices the list took; and one operation keeps one connection
 * and one processor of the database at work, not several.
 */
export class OperationPace {
  readonly #slices: Slices;
  #steps: Step[] = [];
  #done = 0;
  #held: HeldRead[] = [];
  #isReading = false;

  constructor(slices: Slices) {
    this.#slices = slices;
  }

  /** That of the work which is running; undefined for work that is not paced. */
  static get current(): OperationPace | undefined {
    return current.getStore();
  }

  /** Resolves to the value when it is its turn. */
  turn<T>(value: T): Promise<T> {
    return new Promise((resolve) => {
      this.step(() => {
        resolve(value);
      });
    });
  }

  /** Does a step when it is its turn. */
  step(step: Step): void {
    this.#steps.push(step);
    this.#slices.add(this);
  }

  /** Begins a read once no slice is left to do and the reads before it are done. A read must not wait for another. */
  afterSlices(read: HeldRead): void {
    this.#held.push(read);
    this.#slices.add(this);
  }

  /** @returns whether there is more to do */
  async work(until: number): Promise<boolean> {
    while (this.#done < this.#steps.length && performance.now() < until) {
      this.#steps[this.#done]?.();
      this.#done += 1;
      // What the step has set going runs before the next.
      await Promise.resolve();
    }
    return this.#done < this.#steps.length;
  }

  /** Begins what was held back, once the last step has had all its effects. @returns false when they were more steps */
  rest(): boolean {
    if (this.#done < this.#steps.length) return false;
    [this.#steps, this.#done] = [[], 0];
    if (this.#held.length > 0 && !this.#isReading) void this.#read(this.#held.splice(0));
    return true;
  }

  async #read(reads: readonly HeldRead[]): Promise<void> {
    this.#isReading = true;
    for (const read of reads) await read();
    this.#isReading = false;
    if (this.#held.length > 0) this.#slices.add(this);
  }
}

/** Of one process: one slice in each turn of the event loop, in turn of the operations that have something to do. */
export class Slices {
  readonly #waiting = new Set<OperationPace>();
  #isRunning = false;

  /** Runs an operation whose lists and reads are paced. */
  run<T>(operation: () => T): T {
    return current.run(new OperationPace(this), operation);
  }

  add(pace: OperationPace): void {
    this.#waiting.add(pace);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    await nextTurn();
    // A set is walked in the order in which it was added to, with what is added meanwhile.
    for (const pace of this.#waiting) {
      this.#waiting.delete(pace);
      const start = performance.now();
      const isMore = await pace.work(start + MAX_SLICE_MS);
      await letOthersGoFirst(performance.now() - start);
      if (isMore || !pace.rest()) this.#waiting.add(pace);
    }
    this.#isRunning = false;
  }
}
