import { UnavailableError, type DomainError } from '../errors/index.js';

export interface KeyedSemaphoreOptions {
  /** Calls that run concurrently per key. */
  readonly concurrency: number;
  /** Calls that wait per key; one more is rejected immediately. */
  readonly maxQueueLength: number;
  /** How long a call waits at most before it is rejected; null for no limit. */
  readonly longestWaitMs: number | null;
  /** Creates the error of a rejected call. */
  readonly overloadError: () => DomainError;
}

/** The calls with one key. */
interface KeyedCalls {
  running: number;
  /** Each function lets one call run. In the order of arrival. */
  readonly waiting: Set<() => void>;
}

/**
 * Semaphore per key with a bounded queue, first in, first out: a flood under one key delays no other key.
 *
 * Waiting calls hold nothing but memory, so whatever a call takes (a database connection, a thread) belongs inside
 * `work`.
 *
 * Not built on p-queue, whose queue, event targets and abort signals were a seventh of what a status change allocates.
 */
export class KeyedSemaphore {
  readonly #options: KeyedSemaphoreOptions;
  readonly #calls = new Map<string, KeyedCalls>();

  constructor(options: KeyedSemaphoreOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` once fewer than `concurrency` calls with this key run.
   *
   * @returns what `work` returns
   * @throws the `overloadError` when `maxQueueLength` calls wait already, or after `longestWaitMs`; `work` has not
   *   begun then
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    this.requireRoom(key);
    return this.#run(key, work, this.#options.longestWaitMs);
  }

  /**
   * The same without limits on the queue and the wait: for callers that are bounded themselves, and cannot be rejected.
   */
  runUnbounded<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#run(key, work, null);
  }

  /** @throws the `overloadError` when `run` would reject a call with this key immediately */
  requireRoom(key: string): void {
    const { concurrency, maxQueueLength, overloadError } = this.#options;
    const calls = this.#calls.get(key);
    if (calls !== undefined && calls.running + calls.waiting.size >= concurrency + maxQueueLength)
      throw overloadError();
  }

  async #run<T>(key: string, work: () => Promise<T>, longestWaitMs: number | null): Promise<T> {
    const calls = this.#enter(key);
    if (calls.running < this.#options.concurrency) calls.running += 1;
    else await this.#waitForPlace(calls, longestWaitMs);
    try {
      return await work();
    } finally {
      this.#leave(key, calls);
    }
  }

  #enter(key: string): KeyedCalls {
    const existing = this.#calls.get(key);
    if (existing !== undefined) return existing;
    const calls: KeyedCalls = { running: 0, waiting: new Set() };
    this.#calls.set(key, calls);
    return calls;
  }

  /** Resolves when a call that ends leaves its place to this one. */
  #waitForPlace({ waiting }: KeyedCalls, longestWaitMs: number | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(this.#options.overloadError());
      };
      const timer = longestWaitMs === null ? undefined : setTimeout(giveUp, longestWaitMs);
      waiting.add(begin);
    });
  }

  #leave(key: string, calls: KeyedCalls): void {
    const [beginNext] = calls.waiting;
    if (beginNext === undefined) {
      calls.running -= 1;
      if (calls.running === 0) this.#calls.delete(key);
    } else {
      calls.waiting.delete(beginNext);
      beginNext();
    }
  }
}

/** Creates the `overloadError` of a semaphore that protects the whole service. */
export function overloaded(retryAfterSeconds: number): () => UnavailableError {
  return () => new UnavailableError('OVERLOADED', { retryAfterSeconds });
}
