import { KeyedSemaphore, overloaded } from '../../async/keyed-semaphore.js';
import { RateLimitedError, type ConcurrencyPolicy } from '../../errors/index.js';

/** Operations of a higher cost wait in the queue. */
export const MAX_UNQUEUED_COST = 5_000;

/** Running large operations of a process. Each holds its rows and its response in memory. */
const MAX_RUNNING = 3;
const MAX_RUNNING_PER_CALLER = 1;
/** Running and waiting large operations. */
const MAX_QUEUED = 200;
const MAX_QUEUED_PER_CALLER = 20;
const RETRY_AFTER_SECONDS = 5;
const POLICY: ConcurrencyPolicy = {
  name: 'large-operations',
  quota: MAX_QUEUED_PER_CALLER,
  unit: 'concurrent-requests',
};
/** Key of the semaphore that all callers share. */
const ALL_CALLERS = 'all';

/** Queue of large operations: runs 3 concurrently, of each caller 1, so that their rows and responses fit in memory. */
export class LargeOperationQueue {
  readonly #all = new KeyedSemaphore({
    concurrency: MAX_RUNNING,
    maxQueueLength: MAX_QUEUED - MAX_RUNNING,
    longestWaitMs: null,
    overloadError: overloaded(RETRY_AFTER_SECONDS),
  });

  readonly #byCaller = new KeyedSemaphore({
    concurrency: MAX_RUNNING_PER_CALLER,
    maxQueueLength: MAX_QUEUED_PER_CALLER - MAX_RUNNING_PER_CALLER,
    longestWaitMs: null,
    overloadError: () => new RateLimitedError(RETRY_AFTER_SECONDS, { policy: POLICY }),
  });

  /**
   * Runs the work after the earlier operations of the caller, when fewer than 3 large operations run.
   *
   * @throws RateLimitedError when the caller has 20 operations running and waiting
   * @throws UnavailableError `OVERLOADED` when 200 operations are running and waiting
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    this.#byCaller.requireRoom(caller);
    this.#all.requireRoom(ALL_CALLERS);
    return this.#byCaller.run(caller, () => this.#all.runUnbounded(ALL_CALLERS, work));
  }
}
