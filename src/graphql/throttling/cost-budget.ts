import { setTimeout as sleep } from 'node:timers/promises';

const SECOND_MS = 1_000;

/**
 * Token bucket (GCRA) of cost per second, with a capacity of one second.
 *
 * Callers wait in the order of their calls. A cost above the capacity takes the full bucket, and leaves it empty for
 * the seconds that it is worth.
 */
export class CostBudget {
  readonly #perSecond: number;
  /** Time of `performance.now()` at which the bucket is full again. */
  #fullAtMs = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether the bucket is full. It is then in the same state as a new one. */
  get isFull(): boolean {
    return this.#fullAtMs <= performance.now();
  }

  /** Takes the cost and returns the milliseconds after which it may be spent. */
  reserve(cost: number): number {
    const now = performance.now();
    const waitMs = Math.max(0, this.#fullAtMs - now - SECOND_MS + Math.min(cost / this.#perSecond, 1) * SECOND_MS);
    this.#fullAtMs = Math.max(this.#fullAtMs, now) + (cost / this.#perSecond) * SECOND_MS;
    return waitMs;
  }

  /** Resolves when the cost may be spent. A caller whose `signal` aborts while it waits spends nothing. */
  async take(cost: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    const waitMs = this.reserve(cost);
    if (waitMs === 0) return;
    try {
      await sleep(waitMs, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
    } catch {
      this.#fullAtMs -= (cost / this.#perSecond) * SECOND_MS;
    }
  }
}
