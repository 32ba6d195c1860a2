import pLimit, { type LimitFunction } from 'p-limit';
import { RateLimitedError, UnavailableError } from '../../errors/index.js';

/** Operations of a higher cost wait in the queue. */
export const MAX_UNQUEUED_COST = 5_000;

/** Running large operations of a process. Each holds its rows and its response in memory. */
const MAX_RUNNING = 3;
const MAX_RUNNING_PER_CALLER = 1;
/** Running and waiting large operations. */
const MAX_QUEUED = 200;
const MAX_QUEUED_PER_CALLER = 20;
const RETRY_AFTER_SECONDS = 5;

/** Queue of large operations: runs 3 concurrently, of each caller 1, so that their rows and responses fit in memory. */
export class LargeOperationQueue {
  readonly #all = pLimit(MAX_RUNNING);
  readonly #byCaller = new Map<string, LimitFunction>();

  /**
   * Runs the work after the earlier operations of the caller, when fewer than 3 large operations run.
   *
   * @throws RateLimitedError when the caller has 20 operations running and waiting
   * @throws UnavailableError `OVERLOADED` when 200 operations are running and waiting
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#byCaller.get(caller) ?? pLimit(MAX_RUNNING_PER_CALLER);
    if (sizeOf(own) >= MAX_QUEUED_PER_CALLER) throw new RateLimitedError(RETRY_AFTER_SECONDS);
    if (sizeOf(this.#all) >= MAX_QUEUED)
      throw new UnavailableError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#byCaller.set(caller, own);
    try {
      return await own(() => this.#all(work));
    } finally {
      if (sizeOf(own) === 0 && this.#byCaller.get(caller) === own) this.#byCaller.delete(caller);
    }
  }
}

function sizeOf({ activeCount, pendingCount }: LimitFunction): number {
  return activeCount + pendingCount;
}
