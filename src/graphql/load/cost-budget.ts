import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../async/durations.js';

/**
 * So much cost in a second: a token bucket (GCRA) that holds the budget of one second.
 *
 * Who comes when it is empty waits, in the order in which they came. What costs more than it holds takes it for as
 * many seconds as it is worth.
 */
export class CostBudget {
  readonly #perSecond: number;
  /** Until when what was taken is paid for. */
  #paidUntil = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether it holds all that it can, so that nothing has to be remembered of it. */
  get isFull(): boolean {
    return this.#paidUntil <= performance.now();
  }

  /** @returns for how many milliseconds the caller has to wait */
  reserve(cost: number): number {
    const now = performance.now();
    const waitMs = Math.max(0, this.#paidUntil - now - SECOND_MS + Math.min(cost / this.#perSecond, 1) * SECOND_MS);
    this.#paidUntil = Math.max(this.#paidUntil, now) + (cost / this.#perSecond) * SECOND_MS;
    return waitMs;
  }

  /** Resolves when the cost may be spent. Who leaves while waiting has spent nothing. */
  async take(cost: number, leaving?: AbortSignal): Promise<void> {
    if (leaving?.aborted === true) return;
    const waitMs = this.reserve(cost);
    if (waitMs === 0) return;
    try {
      await sleep(waitMs, undefined, { ref: false, ...(leaving === undefined ? {} : { signal: leaving }) });
    } catch {
      this.#paidUntil -= (cost / this.#perSecond) * SECOND_MS;
    }
  }
}
