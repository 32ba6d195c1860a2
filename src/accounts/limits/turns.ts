import pLimit, { type LimitFunction } from 'p-limit';
import { UnavailableError } from '../../errors/index.js';

/** As many passwords as a small machine hashes at once. */
const AT_ONCE = 4;
const MOST_WAITING = 100;
const RETRY_AFTER_SECONDS = 2;

interface Queue {
  readonly run: LimitFunction;
  /** Running and waiting. */
  inHand: number;
}

/**
 * Lets few of the same kind go on at once, and keeps the others in line.
 *
 * What is counted only once it is over could otherwise be done any number of times before the first is counted; and one
 * client's flood could fill the line that everybody stands in.
 */
export class Turns {
  readonly #queues = new Map<string, Queue>();

  /** @throws UnavailableError `OVERLOADED` when too many are in line */
  async take<T>(kind: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(kind) ?? { run: pLimit(AT_ONCE), inHand: 0 };
    if (queue.inHand >= AT_ONCE + MOST_WAITING) throw new UnavailableError('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    this.#queues.set(kind, queue);
    queue.inHand += 1;
    try {
      return await queue.run(work);
    } finally {
      queue.inHand -= 1;
      if (queue.inHand === 0) this.#queues.delete(kind);
    }
  }
}
