import { AsyncLocalStorage } from 'node:async_hooks';
import { nextTurn } from './next-turn.js';

type Step = () => void;

/** How long paced work goes on before everything else has its turn. */
const MAX_SLICE_MS = 1;

const current = new AsyncLocalStorage<OperationPace>();

/**
 * The work of one large operation, in slices: between them the event loop serves everybody else.
 *
 * Batches of reads are held back until no slice is left to do. So the reads of all entries of a list still go out
 * together, as one statement, however many slices the list took.
 */
export class OperationPace {
  readonly #slices: Slices;
  #steps: Step[] = [];
  #done = 0;
  #held: Step[] = [];

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
      this.#begin();
      this.#steps.push(() => {
        resolve(value);
      });
    });
  }

  /** Sends a batch of reads off once no slice is left to do. */
  afterSlices(sendOff: Step): void {
    this.#begin();
    this.#held.push(sendOff);
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

  /** Sends off what was held back, once the last step has had all its effects. @returns false when they were more steps */
  async rest(): Promise<boolean> {
    if (this.#done < this.#steps.length) return false;
    while (this.#held.length > 0) {
      this.#held.shift()?.();
      await nextTurn();
    }
    if (this.#done < this.#steps.length) return false;
    [this.#steps, this.#done] = [[], 0];
    return true;
  }

  #begin(): void {
    if (this.#steps.length === 0 && this.#held.length === 0) this.#slices.add(this);
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
      const isMore = await pace.work(performance.now() + MAX_SLICE_MS);
      await nextTurn();
      if (isMore || !(await pace.rest())) this.#waiting.add(pace);
    }
    this.#isRunning = false;
  }
}
