import { KeyedSemaphore, overloaded } from '../../async/keyed-semaphore.js';

/** At 5 ms per change, a full queue takes 5 s. */
const MAX_QUEUE_LENGTH = 1_000;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

class Turn {
  readonly groupId: string;
  /** The protected member makes the type nominal: no other object has it. */
  protected readonly isTurn = true;

  constructor(groupId: string) {
    this.groupId = groupId;
  }
}

/**
 * Right to lock one group's row until the queued work ends. Only `GroupWriteQueue` creates one, so no writer can
 * bypass the queue.
 */
export type GroupTurn = Turn;

/**
 * Queue of the writers of each group: one at a time per process, in the order of their arrival.
 *
 * Every writer waits here before it opens a transaction. Reason: waiting for the row lock holds a database connection,
 * so the writers of one group could hold all connections.
 */
export class GroupWriteQueue {
  readonly #turns = new KeyedSemaphore({
    concurrency: 1,
    maxQueueLength: MAX_QUEUE_LENGTH,
    longestWaitMs: MAX_WAIT_MS,
    overloadError: overloaded(RETRY_AFTER_SECONDS),
  });

  /**
   * Runs a request's change of a group when all earlier writers have ended.
   *
   * @throws UnavailableError `OVERLOADED` when 1,000 writers of the group are waiting, or after a wait of 10 s
   */
  run<T>(groupId: string, work: (turn: GroupTurn) => Promise<T>): Promise<T> {
    return this.#turns.run(groupId, () => work(new Turn(groupId)));
  }

  /** As `run` for a task, without limits: the task runner bounds the number of waiting tasks. */
  runTask<T>(groupId: string, work: (turn: GroupTurn) => Promise<T>): Promise<T> {
    return this.#turns.runUnbounded(groupId, () => work(new Turn(groupId)));
  }

  /** As `run` for a request that locks several groups. */
  runOnAll<T>(groupIds: readonly string[], work: () => Promise<T>): Promise<T> {
    return enterAll(groupIds, (groupId, next) => this.run(groupId, next), work);
  }

  /** As `runTask` for a task that changes several groups. */
  runTaskOnAll<T>(groupIds: readonly string[], work: () => Promise<T>): Promise<T> {
    return enterAll(groupIds, (groupId, next) => this.runTask(groupId, next), work);
  }
}

/** Enters the queues in ascending order of group id, as row locks are taken, so that callers cannot deadlock. */
function enterAll<T>(
  groupIds: readonly string[],
  enter: (groupId: string, next: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
): Promise<T> {
  return [...new Set(groupIds)]
    .toSorted()
    .reduceRight<() => Promise<T>>((next, groupId) => () => enter(groupId, next), work)();
}
