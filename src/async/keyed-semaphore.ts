import PQueue from 'p-queue';
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

/**
 * Semaphore per key with a bounded queue, first in, first out: a flood under one key delays no other key.
 *
 * Waiting calls hold nothing but memory, so whatever a call takes (a database connection, a thread) belongs inside
 * `work`.
 */
export class KeyedSemaphore {
  readonly #options: KeyedSemaphoreOptions;
  readonly #queues = new Map<string, PQueue>();

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
    const { longestWaitMs } = this.#options;
    return longestWaitMs === null ? this.#open(key).add(work) : this.#runInTime(this.#open(key), work, longestWaitMs);
  }

  /**
   * The same without limits on the queue and the wait: for callers that are bounded themselves, and cannot be rejected.
   */
  runUnbounded<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#open(key).add(work);
  }

  /** @throws the `overloadError` when `run` would reject a call with this key immediately */
  requireRoom(key: string): void {
    const { concurrency, maxQueueLength, overloadError } = this.#options;
    const queue = this.#queues.get(key);
    if (queue !== undefined && queue.pending + queue.size >= concurrency + maxQueueLength) throw overloadError();
  }

  #runInTime<T>(queue: PQueue, work: () => Promise<T>, longestWaitMs: number): Promise<T> {
    const wait = new AbortController();
    const timer = setTimeout(() => {
      wait.abort(this.#options.overloadError());
    }, longestWaitMs);
    const begin = (): Promise<T> => {
      clearTimeout(timer);
      return work();
    };
    return queue.add(begin, { signal: wait.signal });
  }

  /** An idle queue is deleted, unless another call has entered it in the meantime. */
  #open(key: string): PQueue {
    const existing = this.#queues.get(key);
    if (existing !== undefined) return existing;
    const queue = new PQueue({ concurrency: this.#options.concurrency });
    queue.addEventListener('idle', () => {
      if (queue.pending + queue.size === 0) this.#queues.delete(key);
    });
    this.#queues.set(key, queue);
    return queue;
  }
}

/** Creates the `overloadError` of a semaphore that protects the whole service. */
export function overloaded(retryAfterSeconds: number): () => UnavailableError {
  return () => new UnavailableError('OVERLOADED', { retryAfterSeconds });
}
