import pLimit, { type LimitFunction } from 'p-limit';
import { UnavailableError } from '../errors/index.js';

export interface KeyedSemaphoreOptions {
  /** Calls that run concurrently per key. */
  readonly concurrency: number;
  /** Calls that wait per key; one more is refused immediately. */
  readonly maxQueueLength: number;
  /** How long a call waits at most before it is refused; null for no bound. */
  readonly longestWaitMs: number | null;
  /** `Retry-After` of a refusal. */
  readonly retryAfterSeconds: number;
}

interface Queue {
  readonly limit: LimitFunction;
  /** Calls that run or wait. A call that was refused after its wait no longer counts. */
  inHand: number;
}

/**
 * Semaphore per key with a bounded queue, first in, first out: a flood under one key delays no other key.
 *
 * Waiting calls hold nothing but memory, so whatever a call takes (a database connection, a thread) belongs inside
 * `work`.
 */
export class KeyedSemaphore {
  readonly #options: KeyedSemaphoreOptions;
  readonly #queues = new Map<string, Queue>();

  constructor(options: KeyedSemaphoreOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` once fewer than `concurrency` calls with this key run.
   *
   * @returns what `work` returns
   * @throws UnavailableError `OVERLOADED` when `mostWaiting` calls wait already, or after `longestWaitMs`; `work` has
   *   not begun then
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { concurrency, maxQueueLength, longestWaitMs } = this.#options;
    if (this.#inHand(key) >= concurrency + maxQueueLength) return Promise.reject(this.#overloaded());
    return this.#enter(key, work, longestWaitMs);
  }

  /**
   * The same without bounds on the queue and the wait: for callers that are bounded themselves, and cannot be refused.
   */
  runUnbounded<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#enter(key, work, null);
  }

  async #enter<T>(key: string, work: () => Promise<T>, longestWaitMs: number | null): Promise<T> {
    const queue = this.#queues.get(key) ?? { limit: pLimit(this.#options.concurrency), inHand: 0 };
    this.#queues.set(key, queue);
    queue.inHand += 1;
    try {
      return await (longestWaitMs === null ? queue.limit(work) : this.#runInTime(queue.limit, work, longestWaitMs));
    } finally {
      queue.inHand -= 1;
      if (queue.inHand === 0 && this.#queues.get(key) === queue) this.#queues.delete(key);
    }
  }

  /** A call that is refused keeps its place in p-limit's queue until that place comes up, and then does nothing. */
  #runInTime<T>(limit: LimitFunction, work: () => Promise<T>, longestWaitMs: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let isRefused = false;
      const timer = setTimeout(() => {
        isRefused = true;
        reject(this.#overloaded());
      }, longestWaitMs);
      const begin = async (): Promise<void> => {
        clearTimeout(timer);
        if (!isRefused) resolve(await work());
      };
      limit(begin).catch(reject);
    });
  }

  #inHand(key: string): number {
    return this.#queues.get(key)?.inHand ?? 0;
  }

  #overloaded(): UnavailableError {
    return new UnavailableError('OVERLOADED', { retryAfterSeconds: this.#options.retryAfterSeconds });
  }
}
