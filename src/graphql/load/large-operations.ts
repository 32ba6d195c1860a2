import pLimit, { type LimitFunction } from 'p-limit';
import { RateLimitedError, UnavailableError } from '../../errors/index.js';
import {
  MAX_LARGE_AT_ONCE,
  MAX_LARGE_AT_ONCE_PER_CALLER,
  MAX_LARGE_QUEUED,
  MAX_LARGE_QUEUED_PER_CALLER,
} from './load-limits.js';

const RETRY_AFTER_SECONDS = 5;

/** Lets few large operations run at once, and one of each caller, so that their rows and answers fit into memory. */
export class LargeOperations {
  readonly #together = pLimit(MAX_LARGE_AT_ONCE);
  readonly #byCaller = new Map<string, LimitFunction>();

  /**
   * Runs the work when its turn comes.
   *
   * @throws RateLimitedError when the caller has too many waiting
   * @throws UnavailableError `OVERLOADED` when too many wait in all
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#byCaller.get(caller) ?? pLimit(MAX_LARGE_AT_ONCE_PER_CALLER);
    if (queued(own) >= MAX_LARGE_QUEUED_PER_CALLER) throw new RateLimitedError(RETRY_AFTER_SECONDS);
    if (queued(this.#together) >= MAX_LARGE_QUEUED)
      throw new UnavailableError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#byCaller.set(caller, own);
    try {
      return await own(() => this.#together(work));
    } finally {
      if (queued(own) === 0 && this.#byCaller.get(caller) === own) this.#byCaller.delete(caller);
    }
  }
}

function queued({ activeCount, pendingCount }: LimitFunction): number {
  return activeCount + pendingCount;
}
